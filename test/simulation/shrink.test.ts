import { describe, expect, test } from 'vitest';
import { type Combination, commandFor, shrink } from './shrink.ts';

const COMBINATION: Combination = {
  seed: 7,
  switches: ['ascending', 'kills', 'no-date', 'slack-away'],
  excerpt: null,
  size: 'full',
};

describe('shrinking', () => {
  test('keeps only switches and events that the failure needs', async () => {
    const smallest = await shrink(COMBINATION, 100, async ({ switches, excerpt }) => {
      const has37 = excerpt === null || (excerpt.from <= 37 && excerpt.to >= 37);
      return switches.includes('kills') && switches.includes('no-date') && has37;
    });
    expect(smallest).toEqual({ ...COMBINATION, switches: ['kills', 'no-date'], excerpt: { from: 37, to: 37 } });
  });

  test('returns the combination itself if nothing smaller fails', async () => {
    expect(await shrink(COMBINATION, 100, async () => false)).toEqual(COMBINATION);
  });

  test('prints the command that plays a combination again', () => {
    const smallest: Combination = { ...COMBINATION, switches: ['kills', 'no-date'], excerpt: { from: 3, to: 9 } };
    expect(commandFor(smallest)).toBe('npm run simulate -- --seed 7 --switches kills,no-date --events 3-9');
    const plain: Combination = { seed: 8, switches: [], excerpt: null, size: 'brief' };
    expect(commandFor(plain)).toBe('npm run simulate -- --seed 8 --switches none --brief');
  });
});
