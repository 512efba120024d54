import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../lib/input/filters.ts';
import { type MuteEnd, parseMuteLength, parseMuteWords } from './mutes.ts';

const NIGHT = new Date('2026-03-04T02:00:00Z');
const ending = (end: MuteEnd | null) => end?.(NIGHT, 'Europe/Berlin').toISOString();
const read = (text: string) => {
  const { words, filters } = parseCommandText(text);
  const { end, ...others } = parseMuteWords(words, filters);
  return { ...others, end: ending(end) };
};

describe('parseMuteWords', () => {
  test.each([
    ['', null, '2026-03-04T03:00:00.000Z'],
    ['3', 3, '2026-03-04T03:00:00.000Z'],
    ['2H 3', 3, '2026-03-04T04:00:00.000Z'],
    ['2 until:9', 2, '2026-03-04T08:00:00.000Z'],
    ['1m', null, '2026-03-04T02:01:00.000Z'],
    ['1w', null, '2026-03-11T02:00:00.000Z'],
    ['#17 2h', null, '2026-03-04T04:00:00.000Z', '#17'],
  ])('parses %j', (text, number, end, ...incidents) => {
    expect(read(text)).toEqual({ incidents, number, end });
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
  const ends = ['30m', '09:00', 'forever'].map((length) => ending(parseMuteLength(length)));
  expect(ends).toEqual(['2026-03-04T02:30:00.000Z', '2026-03-04T08:00:00.000Z', undefined]);
});
