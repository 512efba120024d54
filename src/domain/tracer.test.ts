import { expect, test } from 'vitest';
import { unobserved } from './observer.ts';
import { untraced } from './tracer.ts';

test('work is also done without traces', async () => {
  expect(await untraced.within('a poll', async () => 'done')).toBe('done');
  expect(untraced.spans('request', unobserved)).toBe(unobserved);
  expect(untraced.fields()).toEqual({});
});

test('what is not observed can begin and end', () => {
  expect(() => unobserved('a request')('answered')).not.toThrow();
});
