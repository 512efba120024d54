import { describe, expect, test } from 'vitest';
import { isMissed, Result, tableOf } from './report.ts';

const figure = { label: 'p99', value: 48.26, unit: 'ms', limit: 50, against: 'the promise' };

describe('isMissed', () => {
  test("is true for an exceeded limit, and for a limit that couldn't be measured", () => {
    expect([50, 50.1, Number.NaN].map((value) => isMissed({ ...figure, value }))).toEqual([false, true, true]);
  });

  test('is false without a limit', () => {
    expect(isMissed({ label: 'CPU', value: 1_000, unit: 'ms' })).toBe(false);
  });
});

describe('tableOf', () => {
  test('shows one figure per line, in columns', () => {
    const results = [
      { name: 'acknowledgment', figures: [figure, { label: 'max', value: 1234.5, unit: 'ms' }] },
      { name: 'memory', figures: [{ label: 'growth', value: 21.04, unit: 'MB', limit: 20 }] },
    ];
    expect(tableOf(results)).toBe(
      [
        'benchmark       figure  value  unit  limit  promise  against',
        '--------------  ------  -----  ----  -----  -------  -----------',
        'acknowledgment  p99      48.3  ms       50  kept     the promise',
        '                max      1235  ms',
        'memory          growth     21  MB       20  MISSED',
      ].join('\n'),
    );
  });
});

describe('Result', () => {
  test("parses what a measuring process sends, including figures that couldn't be measured", () => {
    const result = { name: 'ready', figures: [figure, { label: 'next start', value: Number.NaN, unit: 's' }] };
    expect(Result.parse(result)).toEqual(result);
  });
});
