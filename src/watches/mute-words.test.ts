import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../lib/input/filters.ts';
import { endOfMute, parseMuteLength, parseMuteWords } from './mute-words.ts';

const HOUR = 3_600_000;
const read = (text: string) => {
  const { words, filters } = parseCommandText(text);
  return parseMuteWords(words, filters);
};

describe('parseMuteWords', () => {
  test.each<[text: string, read: Omit<ReturnType<typeof parseMuteWords>, 'incidents'> & { incidents?: string[] }]>([
    ['', { number: null, end: { end: 'after', ms: HOUR } }],
    ['3', { number: 3, end: { end: 'after', ms: HOUR } }],
    ['2H 3', { number: 3, end: { end: 'after', ms: 2 * HOUR } }],
    ['2 until:9', { number: 2, end: { end: 'at', minutes: 9 * 60 } }],
    ['1m', { number: null, end: { end: 'after', ms: HOUR / 60 } }],
    ['1w', { number: null, end: { end: 'after', ms: 7 * 24 * HOUR } }],
    ['#17 2h', { incidents: ['#17'], number: null, end: { end: 'after', ms: 2 * HOUR } }],
  ])('parses %j', (text, words) => {
    expect(read(text)).toEqual({ incidents: [], ...words });
  });

  test.each(['forever', '8d', '1s', '1 2', '1h 2h', '#17 2', 'until:tomorrow', '2h until:14:00'])(
    'refuses %j, and says what it takes',
    (text) => {
      const message =
        'mute takes an incident or the number of a watch, and a time: 1m to 1w, or until: a time of the day.';
      expect(() => read(text)).toThrow(expect.objectContaining({ field: 'mute', message, example: '/notif mute 2h' }));
    },
  );
});

test('a form offers lengths by name, and the next 09:00 of the person', () => {
  const night = new Date('2026-03-04T02:00:00Z');
  const ends = ['30m', '09:00', 'forever'].map((length) => {
    const end = parseMuteLength(length);
    return end && endOfMute(end, 'Europe/Berlin', night).toISOString();
  });
  expect(ends).toEqual(['2026-03-04T02:30:00.000Z', '2026-03-04T08:00:00.000Z', null]);
});
