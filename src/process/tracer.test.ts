import { expect, it } from 'vitest';
import { unobserved } from '../domain/observer.ts';
import { untraced } from '../domain/tracer.ts';
import { createTracer } from './tracer.ts';

it('a tracer without a collector returns what it wraps unchanged', async () => {
  const tracer = await createTracer(null, '0.0.0');
  expect(tracer).toBe(untraced);
  expect(tracer.spans('sql', unobserved)).toBe(unobserved);
  expect(await tracer.within('job poll', async () => 1)).toBe(1);
});

it('a tracer passes on the result and the error of what it traces', async () => {
  const tracer = await createTracer('http://127.0.0.1:9', '0.0.0');
  expect(await tracer.within('job poll', async () => tracer.fields())).toEqual({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const error = new Error('a reason');
  await expect(tracer.within('job poll', () => Promise.reject(error))).rejects.toBe(error);
  expect(tracer.fields()).toEqual({});
  await tracer.stop();
});
