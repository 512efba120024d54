import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../input/filters.ts';
import { endOfMute, joinedTimes, type MuteWords, parseMuteWords } from './mute-words.ts';

const HOUR = 3_600_000;
const read = (text: string) => {
  const { words, filters } = parseCommandText(text);
  return parseMuteWords(joinedTimes(words), filters);
};

describe('parseMuteWords', () => {
  test.each<[text: string, read: MuteWords]>([
    ['', { number: null, end: { end: 'after', ms: HOUR } }],
    ['2h', { number: null, end: { end: 'after', ms: 2 * HOUR } }],
    ['3', { number: 3, end: { end: 'after', ms: HOUR } }],
    ['3 2h', { number: 3, end: { end: 'after', ms: 2 * HOUR } }],
    ['2H 3', { number: 3, end: { end: 'after', ms: 2 * HOUR } }],
    ['2 hours', { number: null, end: { end: 'after', ms: 2 * HOUR } }],
    ['2 h', { number: null, end: { end: 'after', ms: 2 * HOUR } }],
    ['90mins.', { number: null, end: { end: 'after', ms: 1.5 * HOUR } }],
    ['1h30m 3', { number: 3, end: { end: 'after', ms: 1.5 * HOUR } }],
    ['until:14:00', { number: null, end: { end: 'at', minutes: 14 * 60 } }],
    ['2 until:9', { number: 2, end: { end: 'at', minutes: 9 * 60 } }],
    ['until:2pm', { number: null, end: { end: 'at', minutes: 14 * 60 } }],
    ['until:12:30AM', { number: null, end: { end: 'at', minutes: 30 } }],
  ])('parses %j', (text, words) => {
    expect(read(text)).toEqual(words);
  });

  test.each(['forever', '8d', '1s', '1 2', '1h 2h', 'until:tomorrow', 'until:13pm', '2h until:14:00'])(
    'refuses %j',
    (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ name: 'InputError' }));
    },
  );
});

test('suggests until: for a time of the day', () => {
  expect(() => read('14:00')).toThrow(expect.objectContaining({ example: '/notif mute until:14:00' }));
  expect(() => read('2pm')).toThrow(expect.objectContaining({ example: '/notif mute until:2pm' }));
});

test('says that two times are too many', () => {
  const both = { message: 'A mute ends after a time such as 2h, or at until: a time of the day, not both.' };
  expect(() => read('2h until:14:00')).toThrow(expect.objectContaining(both));
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
