import { describe, expect, test } from 'vitest';
import { MUTE_LENGTHS, muteUntil, parseMuteLength } from './mute-lengths.ts';

const NIGHT = new Date('2026-03-04T02:00:00Z');

describe('the length of a mute', () => {
  test.each([
    ['30m', '2026-03-04T02:30:00.000Z'],
    ['1h', '2026-03-04T03:00:00.000Z'],
    ['4h', '2026-03-04T06:00:00.000Z'],
    ['1d', '2026-03-05T02:00:00.000Z'],
    ['1w', '2026-03-11T02:00:00.000Z'],
  ] as const)('counts from now: %s', (length, until) => {
    expect(muteUntil(length, 'UTC', NIGHT).toISOString()).toBe(until);
  });

  test('lasts until the next morning in the watch’s zone', () => {
    expect(muteUntil('morning', 'Europe/Berlin', NIGHT).toISOString()).toBe('2026-03-04T08:00:00.000Z');
    expect(muteUntil('morning', 'Asia/Tokyo', NIGHT).toISOString()).toBe('2026-03-05T00:00:00.000Z');
  });

  test('is recognized by its name', () => {
    for (const length of MUTE_LENGTHS) expect(parseMuteLength(length)).toBe(length);
    expect(parseMuteLength('forever')).toBeNull();
    expect(parseMuteLength(null)).toBeNull();
  });
});
