import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TREND_LENGTH } from '../../../domain/incidents/incident-now.ts';
import { at } from '../../slack.testing.ts';
import { trendBars, trendWord } from './trend.ts';

const HOUR_AGO = at(-3_600);
const window = { from: at(-300), to: at(0) };
const halves = (before: number, after: number) => [...Array(6).fill(before), ...Array(6).fill(after)];

describe('a trend', () => {
  test.each([
    [halves(10, 15), 'rising'],
    [halves(15, 10), 'falling'],
    [halves(10, 12), 'steady'],
    [halves(0, 4), 'rising'],
    [halves(40, 4), 'falling'],
  ])('compares the last half hour with the one before: %j is %s', (trend, word) => {
    expect(trendWord({ trend, window }, HOUR_AGO)).toBe(word);
  });

  test('is empty for few failures, and for what began in the last half hour', () => {
    expect(trendWord({ trend: halves(1, 2), window }, HOUR_AGO)).toBe('');
    expect(trendWord({ trend: halves(0, 100), window }, at(-1_799))).toBe('');
    expect(trendWord({ trend: halves(0, 100), window }, at(-1_800))).toBe('rising');
  });

  test('is empty after a pause in the last half hour, such as a relapse after a longer outage', () => {
    const relapse = [40, 60, 20, 25, 0, 0, 0, 0, 0, 0, 0, 15];
    expect(trendWord({ trend: relapse, window }, HOUR_AGO)).toBe('');
    expect(trendWord({ trend: halves(4, 0), window }, HOUR_AGO)).toBe('');
  });

  test('has a bar for each interval, the tallest for the most failures', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: TREND_LENGTH, maxLength: TREND_LENGTH });
    fc.assert(
      fc.property(counts, (trend) => {
        const bars = [...trendBars({ trend })];
        expect(bars).toHaveLength(trend.length);
        expect(bars[trend.indexOf(Math.max(...trend))]).toBe('█');
      }),
    );
  });
});
