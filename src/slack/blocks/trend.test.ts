import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trendBars, trendWord } from './trend.ts';

describe('a trend', () => {
  test.each([
    [[10, 20, 40, 80], '▁▂▄█', 'rising'],
    [[80, 40, 20, 10], '█▄▂▁', 'falling'],
    [[50, 50, 50, 60], '▇▇▇█', 'steady'],
    [[0, 0, 0, 100], '▁▁▁█', 'rising'],
  ])('is drawn and told: %j is %s, %s', (trend, bars, word) => {
    expect(trendBars(trend)).toBe(bars);
    expect(trendWord(trend)).toBe(word);
  });

  test.each([[[]], [[100]], [[10, 20, 80]], [[1, 2, 3, 4]], [[0, 0, 0, 0]]])(
    'is not told of too few stretches or failures: %j',
    (trend) => {
      expect(trendBars(trend)).toBe('');
      expect(trendWord(trend)).toBe('');
    },
  );

  test('has a bar for each count, and the tallest for the most', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 1e9 }), { minLength: 4, maxLength: 8 }), (trend) => {
        const bars = [...trendBars(trend)];
        expect(bars).toHaveLength(trend.length);
        expect(bars[trend.indexOf(Math.max(...trend))]).toBe('█');
      }),
    );
  });
});
