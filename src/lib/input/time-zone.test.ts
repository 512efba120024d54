import { describe, expect, test } from 'vitest';
import { parseTimeZone, timeZonesLike, typableZone } from './time-zone.ts';

describe('parseTimeZone', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['  New   York ', 'America/New_York'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['São Paulo', 'America/Sao_Paulo'],
  ])('accepts %j', (text, name) => {
    expect(parseTimeZone(text)).toBe(name);
  });

  test.each([
    ['Kolkata', 'Asia/Kolkata'],
    ['kyiv', 'Europe/Kyiv'],
    ['Saigon', 'Asia/Saigon'],
  ])('accepts %s, the current or the former name of a city', (text, name) => {
    expect(parseTimeZone(text)).toBe(name);
  });

  test.each(['Europe/Nowhere', 'BST', 'CEST', '+02:00', '2', ''])('refuses %j, which resembles no name', (text) => {
    const message = 'tz: takes the name of a time zone, with a continent and a city.';
    expect(() => parseTimeZone(text)).toThrow(
      expect.objectContaining({ field: 'tz', message, example: 'tz:Europe/Berlin' }),
    );
  });

  test('suggests the nearest name', () => {
    expect(() => parseTimeZone('Europe/Belin')).toThrow('Did you mean Europe/Berlin?');
    expect(() => parseTimeZone('Lodnon')).toThrow('Did you mean London?');
  });
});

describe('timeZonesLike', () => {
  test('finds zones by any part of their name, those whose city starts with it first', () => {
    expect(timeZonesLike('york', 5)).toContain('America/New_York');
    const found = timeZonesLike('rome', 20);
    expect(found[0]).toBe('Europe/Rome');
    // Before America/Indianapolis and Asia/Tbilisi.
    expect(timeZonesLike('lis', 1)).toEqual(['Europe/Lisbon']);
  });
});

describe('typableZone', () => {
  test.each([
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['EST', 'America/Panama'],
    ['Zulu', 'UTC'],
  ])('names %s, as Slack may say of a person, by a name that can be typed: %s', (name, typable) => {
    expect(typableZone(name)).toBe(typable);
    expect(parseTimeZone(typable)).toBe(typable);
  });

  test.each(['', '+02:00', 'Europe/Nowhere'])('knows no zone %j', (name) => {
    expect(typableZone(name)).toBeNull();
  });
});
