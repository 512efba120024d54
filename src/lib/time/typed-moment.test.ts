import { describe, expect, test } from 'vitest';
import { namesZone, parseTypedMoment } from './time-range.ts';

/** 12:30 in Berlin. */
const NOW = new Date('2026-11-21T11:30:00Z');
const parse = (text: string) => parseTypedMoment(text, { now: NOW, timeZone: 'Europe/Berlin', meant: 'last' });

describe('a typed moment', () => {
  test.each([
    ['12:15', '2026-11-21T11:15:00Z'],
    ['12:15:30.5', '2026-11-21T11:15:30.5Z'],
    ['2am', '2026-11-21T01:00:00Z'],
    ['2 a.m.', '2026-11-21T01:00:00Z'],
    ['2 a.m. utc', '2026-11-21T02:00:00Z'],
    ['today 22:15', '2026-11-21T21:15:00Z'],
    ['yesterday at 10:15 pm', '2026-11-20T21:15:00Z'],
    ['2026-11-20 22:15', '2026-11-20T21:15:00Z'],
    ['2026-11-20 22:15 utc', '2026-11-20T22:15:00Z'],
    ['2026-11-20 22:15 gmt', '2026-11-20T22:15:00Z'],
    ['2026-11-20t22:15:00.123456z', '2026-11-20T22:15:00.123Z'],
    ['2026-11-20 22:15 +05:30', '2026-11-20T16:45:00Z'],
    ['2026-11-20 22:15-08', '2026-11-21T06:15:00Z'],
    ['1763676900', '2025-11-20T22:15:00Z'],
    ['1763676900.25', '2025-11-20T22:15:00.25Z'],
    ['1763676900250', '2025-11-20T22:15:00.25Z'],
  ])('is one point in time: %s', (text, at) => {
    expect(parse(text)).toEqual({ at: new Date(at), is: 'moment' });
  });

  test("is yesterday's if today's is still to come, in the zone that it names", () => {
    expect(parse('22:15')).toEqual({ at: new Date('2026-11-20T21:15:00Z'), is: 'yesterdays' });
    expect(parse('11:45 utc')).toEqual({ at: new Date('2026-11-20T11:45:00Z'), is: 'yesterdays' });
  });

  test('is a whole day if it is only a date', () => {
    expect(parse('2026-11-20')).toEqual({ at: new Date('2026-11-19T23:00:00Z'), is: 'day' });
  });

  test.each([
    '12',
    '25:00',
    '13pm',
    '0am',
    '2026-02-30',
    '2026-13-01 10:00',
    '2026-11-20 24:00',
    '176367690',
    'soon',
    '',
  ])('is none: %j', (text) => {
    expect(parse(text)).toBeNull();
  });

  test('is the second of two that clocks show, unless that is still to come or the first is meant', () => {
    const berlin = (now: string, meant: 'first' | 'last') =>
      parseTypedMoment('2026-10-25 02:15', { now: new Date(now), timeZone: 'Europe/Berlin', meant })?.at.toISOString();
    expect(berlin('2026-10-25T01:20:00Z', 'last')).toBe('2026-10-25T01:15:00.000Z');
    expect(berlin('2026-10-25T01:15:00Z', 'last')).toBe('2026-10-25T01:15:00.000Z');
    expect(berlin('2026-10-25T01:10:00Z', 'last')).toBe('2026-10-25T00:15:00.000Z');
    expect(berlin('2026-10-25T01:20:00Z', 'first')).toBe('2026-10-25T00:15:00.000Z');
  });
});

test.each([
  ['22:15 utc', true],
  ['2026-11-20t22:15z', true],
  ['2026-11-20 22:15 +0100', true],
  ['1763676900', true],
  ['22:15', false],
  ['2026-11-20', false],
])('%s names a zone: %s', (text, names) => {
  expect(namesZone(text)).toBe(names);
});
