import { describe, expect, test } from 'vitest';
import { parseCommandText } from '../lib/input/filters.ts';
import { type MuteTime, parseMuteLength, parseMuteWords, WHOLE_WATCH } from './parse-mute.ts';

const NIGHT = new Date('2026-03-04T02:00:00Z');
const ending = (time: MuteTime | null) => time?.(NIGHT, 'Europe/Berlin').to.toISOString();
const beginning = (time: MuteTime) => time(NIGHT, 'Europe/Berlin').from.toISOString();
const read = (text: string) => {
  const { words, filters } = parseCommandText(text);
  const { time, ...others } = parseMuteWords(words, filters);
  return { ...others, from: beginning(time), end: ending(time) };
};

describe('parseMuteWords', () => {
  test.each<[text: string, watch: number | null, end: string, ...incidents: string[]]>([
    ['', null, '2026-03-04T03:00:00.000Z'],
    ['3', 3, '2026-03-04T03:00:00.000Z'],
    ['2H 3', 3, '2026-03-04T04:00:00.000Z'],
    ['2 until:9', 2, '2026-03-04T08:00:00.000Z'],
    ['1m', null, '2026-03-04T02:01:00.000Z'],
    ['1w', null, '2026-03-11T02:00:00.000Z'],
    ['#17 2h', null, '2026-03-04T04:00:00.000Z', '#17'],
  ])('parses %j', (text, watch, end, ...incidents) => {
    expect(read(text)).toEqual({ incidents, number: watch, part: WHOLE_WATCH, from: NIGHT.toISOString(), end });
  });

  test.each<[text: string, watch: number | null, provider: string | null, from: string, end: string]>([
    ['from:03:30 until:05:00', null, null, '2026-03-04T02:30:00.000Z', '2026-03-04T04:00:00.000Z'],
    ['2 from:02:00 30m', 2, null, '2026-03-05T01:00:00.000Z', '2026-03-05T01:30:00.000Z'],
    ['provider:Twilio from:22 until:6', null, 'twilio', '2026-03-04T21:00:00.000Z', '2026-03-05T05:00:00.000Z'],
    ['from:sat-22:00 until:sun-6', null, null, '2026-03-07T21:00:00.000Z', '2026-03-08T05:00:00.000Z'],
  ])('parses the planned %j', (text, watch, provider, from, end) => {
    expect(read(text)).toEqual({ incidents: [], number: watch, part: { provider, workflow: null }, from, end });
  });

  test.each([
    'from:02:00',
    'from:noon 1h',
    'provider:a workflow:b',
    '#17 provider:ses',
    'forever',
    '8d',
    '1s',
    '1 2',
    '1h 2h',
    '#17 2',
    'until:tomorrow',
    '2h until:14:00',
  ])('refuses %j, and says what it takes', (text) => {
    const message =
      'mute takes an incident, the number of a watch, provider: or workflow:, and a time: 1m to 1w, or from: and until: times of the day.';
    expect(() => read(text)).toThrow(expect.objectContaining({ field: 'mute', message, example: '/notif mute 2h' }));
  });
});

test('a form offers lengths by name, and the next 09:00 of the person', () => {
  const ends = ['30m', '09:00', 'forever'].map((length) => ending(parseMuteLength(length)));
  expect(ends).toEqual(['2026-03-04T02:30:00.000Z', '2026-03-04T08:00:00.000Z', undefined]);
});
