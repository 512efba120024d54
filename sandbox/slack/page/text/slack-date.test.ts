import { describe, expect, test } from 'vitest';
import { formatSlackDate, type Reader } from './slack-date.ts';

const noon = Date.UTC(2026, 10, 20, 12, 0, 0);
const reader: Reader = { now: noon, timeZone: 'Europe/Berlin', hour12: false };
const at = (pattern: string, seconds = noon / 1000, as: Reader = reader) => formatSlackDate(seconds, pattern, as);
const day = 86_400;

describe('a Slack date for a reader', () => {
  test("uses the reader's time zone and clock", () => {
    expect(at('{time}', noon / 1000, { now: noon, timeZone: 'America/New_York', hour12: true })).toBe('7:00 AM');
  });

  test("counts days in the reader's time zone", () => {
    const lateInTokyo: Reader = { ...reader, timeZone: 'Asia/Tokyo', now: Date.UTC(2026, 10, 20, 15, 30) };
    expect(at('{date_short_pretty}', Date.UTC(2026, 10, 20, 14, 0) / 1000, lateInTokyo)).toBe('yesterday');
  });

  test('says yesterday and tomorrow, and otherwise the date', () => {
    expect(at('{date_short_pretty}', noon / 1000 - day)).toBe('yesterday');
    expect(at('{date_short_pretty}', noon / 1000 + day)).toBe('tomorrow');
    expect(at('{date_short_pretty}', noon / 1000 - 2 * day)).toBe('Nov 18');
  });

  test('has the year beyond half a year', () => {
    expect(at('{date_short_pretty}', noon / 1000 - 300 * day)).toBe('Jan 24, 2026');
  });

  test('is null for an unknown token or an impossible time', () => {
    expect(at('{time} {nonsense}')).toBeNull();
    expect(at('{time}', 1e15)).toBeNull();
  });
});
