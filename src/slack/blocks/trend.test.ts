import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trendBars, trendWord } from './trend.ts';

describe('a trend', () => {
  test.each([
    [[1, 2, 4, 8], '▁▂▄█', 'rising'],
    [[8, 4, 2, 1], '█▄▂▁', 'falling'],
    [[5, 5, 5, 6], '▇▇▇█', 'steady'],
    [[0, 0, 0, 1], '▁▁▁█', 'rising'],
    [[3], '█', ''],
    [[], '', ''],
    [[0, 0], '▁▁', 'steady'],
  ])('is drawn and told: %j is %s, %s', (trend, bars, word) => {
    expect(trendBars(trend)).toBe(bars);
    expect(trendWord(trend)).toBe(word);
  });

  test('has a bar for each count, and the tallest for the most', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1e9), { minLength: 1, maxLength: 8 }), (trend) => {
        const bars = [...trendBars(trend)];
        expect(bars).toHaveLength(trend.length);
        if (Math.max(...trend) > 0) expect(bars[trend.indexOf(Math.max(...trend))]).toBe('█');
      }),
    );
  });
});
