import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../input/filters.ts';
import { endOfMute, isMeantAsTime, joinedTimes, type MuteWords, parseMuteWords } from './mute-words.ts';

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
    ['1m', { number: null, end: { end: 'after', ms: HOUR / 60 } }],
    ['1w', { number: null, end: { end: 'after', ms: 7 * 24 * HOUR } }],
    ['for 2 hours', { number: null, end: { end: 'after', ms: 2 * HOUR } }],
    ['12 for 30 min', { number: 12, end: { end: 'after', ms: HOUR / 2 } }],
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

test.for([
  ['8d', 'A mute lasts a minute at least and a week at most.', '/notif mute 2h'],
  ['59s', 'A mute lasts a minute at least and a week at most.', '/notif mute 2h'],
  ['forever', 'forever is no time that a mute can last.', '/notif mute 2h'],
  ['1 2', 'mute takes one time and one number of a watch.', '/notif mute 2h'],
  ['1h 2h', 'mute takes one time and one number of a watch.', '/notif mute 2h'],
] as const)('says what is wrong with %j', ([text, message, example]) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ field: 'mute', message, example }));
});

test.for(['until:tomorrow', 'until:9,10'])('says that until: takes one time of the day: %s', (text) => {
  const error = { field: 'until', message: 'until: takes one time of the day.', example: '/notif mute until:14:00' };
  expect(() => read(text)).toThrow(expect.objectContaining(error));
});

describe('the words of a mute', () => {
  test.for([
    ['2 h', ['2h']],
    ['2 HOURS 3', ['2HOURS', '3']],
    ['30 sec', ['30sec']],
    ['3 2h', ['3', '2h']],
    ['2h h', ['2h', 'h']],
    ['mailer 12x h', ['mailer', '12x', 'h']],
    ['x12 h', ['x12', 'h']],
    ['2 hosts', ['2', 'hosts']],
    ['2 mh', ['2', 'mh']],
    ['2 xh', ['2', 'xh']],
    ['2h.', ['2h']],
    ['for 2h', ['2h']],
    ['For 2 hours', ['2hours']],
    ['for everyone', ['for', 'everyone']],
    ['waiting for', ['waiting', 'for']],
  ] as const)('have a time in one word, and no for before it: %j', ([text, words]) => {
    expect(joinedTimes(text.split(' '))).toEqual(words);
  });

  test.for([
    '2',
    '2h',
    '1.5h',
    '-1h',
    '+2h',
    '1.5h',
    '-1h',
    '+2h',
    '30minutes',
    '2HRS',
    '3days',
    '1week',
    '14:00',
    '2pm',
    '9am',
    '1h30m',
    '1H30M',
    '10s',
    '5sec',
  ])('are a time, or the number of a watch: %s', (word) => {
    expect(isMeantAsTime(word)).toBe(true);
  });

  test.for(['mailer', 'h', '2x', 'x2', '1.h', '.5h', 'h2', '2ham', '65f2c', '2:30:10'])(
    'are something else: %s',
    (word) => {
      expect(isMeantAsTime(word)).toBe(false);
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
