import { describe, expect, test } from 'vitest';
import { countSeconds, readDate, readMoment, readTime, wordTime } from './date-values.ts';

describe('the values of pickers', () => {
  test("are parsed from Slack's dates", () => {
    expect(readDate('2026-03-29')?.toString()).toBe('2026-03-29');
    expect(readDate(null)).toBeNull();
  });

  test('are parsed from times of day, and formatted again', () => {
    const time = readTime('09:05');
    expect(time && wordTime(time)).toBe('09:05');
    expect(readTime('late')).toBeNull();
  });

  test("are parsed from timestamps in the reader's time zone, and converted back", () => {
    const moment = readMoment(1_774_747_800, 'Europe/Berlin');
    expect(moment?.toString()).toBe('2026-03-29T03:30:00+02:00[Europe/Berlin]');
    expect(moment && countSeconds(moment)).toBe(1_774_747_800);
    expect(readMoment('now', 'UTC')).toBeNull();
  });
});
