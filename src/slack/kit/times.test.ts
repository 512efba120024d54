import { expect, test } from 'vitest';
import { windowNear, windowsWords } from './times.ts';

const NOON = Date.UTC(2026, 2, 4, 12);
const HOUR = 3_600_000;
const window = (from: number, to: number) => ({ from: new Date(NOON + from * HOUR), to: new Date(NOON + to * HOUR) });
const wordsOf = (windows: ReturnType<typeof window>[]) =>
  `${windowsWords(windows, windowNear(new Date(NOON)))}`.replaceAll(/<!date[^|]*\|([^>]*)>/g, '$1');

test('gives the date of a time that is more than half a day away', () => {
  expect(wordsOf([window(-1, 0)])).toBe('11:00:00 UTC – 12:00:00 UTC');
  expect(wordsOf([window(-20, -19)])).toBe('2026-03-03 16:00 UTC – 17:00 UTC');
});

test('joins windows that touch or overlap, in chronological order', () => {
  expect(wordsOf([window(-2, -1), window(-4, -3), window(-3, -2.5)])).toBe(
    '08:00:00 UTC – 09:30:00 UTC, 10:00:00 UTC – 11:00:00 UTC',
  );
});

test('counts the windows beyond the fifth', () => {
  expect(wordsOf([1, 3, 5, 7, 9, 11, 13].map((at) => window(at, at + 1)))).toMatch(/, 2 more$/);
});
