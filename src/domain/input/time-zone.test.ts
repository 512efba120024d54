import { describe, expect, it } from 'vitest';
import { parseTimeZone, timeZonesLike } from './time-zone.ts';

describe('readTimeZone', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ])('accepts %s', (text, name) => {
    expect(parseTimeZone(text)).toBe(name);
  });

  it.each(['Europe/Nowhere', '+02:00', '2', ''])('refuses %j', (text) => {
    expect(() => parseTimeZone(text)).toThrow(expect.objectContaining({ field: 'tz', example: 'tz:Europe/Berlin' }));
  });

  it('suggests the nearest name', () => {
    expect(() => parseTimeZone('Europe/Belin')).toThrow('Did you mean Europe/Berlin?');
    expect(() => parseTimeZone('Lodnon')).toThrow('Did you mean London?');
  });
});

describe('timeZonesLike', () => {
  it('finds zones by any part of their name, those whose city starts with it first', () => {
    expect(timeZonesLike('york', 5)).toContain('America/New_York');
    const found = timeZonesLike('rome', 20);
    expect(found[0]).toBe('Europe/Rome');
  });

  it('finds at most the requested number', () => {
    expect(timeZonesLike('', 7)).toHaveLength(7);
  });
});
