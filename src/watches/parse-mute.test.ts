import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../lib/input/filters.ts';
import { endOfMute, MUTE_LENGTHS, type MuteWords, parseMuteLength, parseMuteWords } from './mutes.ts';

const HOUR = 3_600_000;
const read = (text: string) => {
  const { words, filters } = parseCommandText(text);
  return parseMuteWords(words, filters);
};

describe('parseMuteWords', () => {
  test.each<[text: string, read: Omit<MuteWords, 'incidents'> & { incidents?: string[] }]>([
    ['', { number: null, end: { end: 'after', ms: HOUR } }],
    ['2h', { number: null, end: { end: 'after', ms: 2 * HOUR } }],
    ['3', { number: 3, end: { end: 'after', ms: HOUR } }],
    ['3 2h', { number: 3, end: { end: 'after', ms: 2 * HOUR } }],
    ['2H 3', { number: 3, end: { end: 'after', ms: 2 * HOUR } }],
    ['90mins.', { number: null, end: { end: 'after', ms: 1.5 * HOUR } }],
    ['1h30m 3', { number: 3, end: { end: 'after', ms: 1.5 * HOUR } }],
    ['until:14:00', { number: null, end: { end: 'at', minutes: 14 * 60 } }],
    ['2 until:9', { number: 2, end: { end: 'at', minutes: 9 * 60 } }],
    ['until:2pm', { number: null, end: { end: 'at', minutes: 14 * 60 } }],
    ['1m', { number: null, end: { end: 'after', ms: HOUR / 60 } }],
    ['1w', { number: null, end: { end: 'after', ms: 7 * 24 * HOUR } }],
    ['#17 2h', { incidents: ['#17'], number: null, end: { end: 'after', ms: 2 * HOUR } }],
  ])('parses %j', (text, words) => {
    expect(read(text)).toEqual({ incidents: [], ...words });
  });

  test.each(['forever', '8d', '1s', '1 2', '1h 2h', 'until:tomorrow', 'until:13pm', '2h until:14:00'])(
    'refuses %j',
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ name: 'InputError' }));
    },
  );
});

test.for([
  ['8d', "8d isn't how long a mute can last: a minute to a week, or until: a time of the day."],
  ['#17 2', 'mute takes an incident or the number of a watch, and one time or until:.'],
  ['2h until:14:00', 'mute takes an incident or the number of a watch, and one time or until:.'],
] as const)('says what is wrong with %j', ([text, message]) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ field: 'mute', message, example: '/notif mute 2h' }));
});

describe('endOfMute', () => {
  test('is the next such time in the zone', () => {
    const now = new Date('2026-11-20T13:30:00Z');
    expect(endOfMute({ end: 'at', minutes: 14 * 60 }, 'UTC', now)).toEqual(new Date('2026-11-20T14:00:00Z'));
    expect(endOfMute({ end: 'at', minutes: 14 * 60 }, 'Europe/Berlin', now)).toEqual(new Date('2026-11-21T13:00:00Z'));
    const inTheFirstOfTwo = new Date('2026-10-25T00:40:00Z');
    expect(endOfMute({ end: 'at', minutes: 150 }, 'Europe/Berlin', inTheFirstOfTwo)).toEqual(
      new Date('2026-10-25T01:30:00Z'),
    );
    expect(endOfMute({ end: 'after', ms: HOUR }, 'Europe/Berlin', now)).toEqual(new Date('2026-11-20T14:30:00Z'));
  });
});

test('a form offers lengths by name, and the next 09:00 of the person', () => {
  const night = new Date('2026-03-04T02:00:00Z');
  expect(endOfMute(MUTE_LENGTHS['30m'], 'UTC', night)).toEqual(new Date('2026-03-04T02:30:00Z'));
  expect(endOfMute(MUTE_LENGTHS.morning, 'Europe/Berlin', night)).toEqual(new Date('2026-03-04T08:00:00Z'));
  expect(endOfMute(MUTE_LENGTHS.morning, 'Asia/Tokyo', night)).toEqual(new Date('2026-03-05T00:00:00Z'));
  expect(parseMuteLength('1d')).toBe(MUTE_LENGTHS['1d']);
  expect(['forever', 'toString', null].map(parseMuteLength)).toEqual([null, null, null]);
});
