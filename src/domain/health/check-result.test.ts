import { expect, test } from 'vitest';
import { checkResult, counted, fine, gravestFirst } from './check-result.ts';

const fix = { what: 'It is broken.', next: 'Fix it.' };

test('what has to be fixed comes first, then what could not be checked, then advice', () => {
  const results = [
    fine('a', 'It works.'),
    checkResult('advice', 'b', fix),
    checkResult('problem', 'c', fix),
    fine('d', 'It works.'),
    checkResult('unknown', 'e', fix),
    checkResult('problem', 'f', fix),
  ];
  expect(
    gravestFirst(results)
      .map(({ subject }) => subject)
      .join(''),
  ).toBe('cfebad');
});

test('what is fine needs nothing done', () => {
  expect(fine('Bot token', 'It works.')).toEqual({
    subject: 'Bot token',
    verdict: 'fine',
    what: 'It works.',
    about: [],
    next: null,
  });
});

test('what is not fine says what to do, and which channels or people it concerns', () => {
  const result = { subject: 'Channels', verdict: 'problem', ...fix };
  const about = [{ kind: 'channel', id: 'C1' }] as const;
  expect(checkResult('problem', 'Channels', fix)).toEqual({ ...result, about: [] });
  expect(checkResult('problem', 'Channels', { ...fix, about })).toEqual({ ...result, about });
});

test('one is counted in the singular, any other number in the plural', () => {
  expect([0, 1, 3].map((count) => counted(count, 'channel'))).toEqual(['0 channels', '1 channel', '3 channels']);
  expect([1, 2].map((count) => counted(count, 'watch', 'watches'))).toEqual(['1 watch', '2 watches']);
});
