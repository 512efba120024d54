import { describe, expect, test } from 'vitest';
import { InputError } from '../lib/errors.ts';
import cases from './setting-values.cases.json' with { type: 'json' };
import { parseClock, parseMention } from './setting-values.ts';
import { EVERYTHING, USUAL_SETTINGS, type WatchFilter, type WatchSettings } from './settings.ts';
import { settingsTyped as read } from './watch.testing.ts';

const MINUTE = 60_000;
const filtered = (filter: Partial<WatchFilter>) => ({ filter: { ...EVERYTHING, ...filter } });

describe('parseWatchSettings', () => {
  test('by default watches everything, alerts at once, in the default zone', () => {
    expect(read('')).toEqual({ ...USUAL_SETTINGS, timeZone: 'Europe/Berlin' });
  });

  test.each<[text: string, settings: Partial<WatchSettings>]>([
    ['workflow:order-shipped,"Weekly news"', filtered({ workflows: ['order-shipped', 'Weekly news'] })],
    ['channel:In-App,EMAIL', filtered({ channels: ['in_app', 'email'] })],
    ['severity:High severity:high', filtered({ severities: ['high'] })],
    ['verdict:bounced,"partly failed"', filtered({ verdicts: ['bounced', 'partly-failed'] })],
    [
      'context:tenant:acme,user:anna@customer.example tag:"password=hunter2"',
      filtered({ contexts: ['tenant:acme', '•••@customer.example'], tags: ['password=•••'] }),
    ],
    ['subscriber:user-42,User-7 subscriber:user-42', filtered({ subscribers: ['user-42', 'User-7'] })],
    ['env:all', { filter: EVERYTHING }],
    ['env:staging,production', filtered({ environments: ['staging', 'production'] })],
    ['min:1 within:10m', { threshold: null }],
    ['quiet:22-7 summary:17:30', { quiet: { from: 22 * 60, to: 7 * 60 }, summaryAt: 17 * 60 + 30 }],
    ['min:5 within:1h', { threshold: { failures: 5, withinMs: 60 * MINUTE, rate: null } }],
    ['rate:0.5 within:30m', { threshold: { failures: 1, withinMs: 30 * MINUTE, rate: 0.005 } }],
    ['min:5 rate:5%', { threshold: { failures: 5, withinMs: 10 * MINUTE, rate: 0.05 } }],
    ['every:15m', { everyMs: 15 * MINUTE }],
    ['every:off', { everyMs: 0 }],
    ['escalate:10m', { escalateMs: 10 * MINUTE }],
    ['escalate:off', {}],
    ['tz:america/new_york', { timeZone: 'America/New_York' }],
    ['summary:off', { summaryAt: null }],
    ['summary:weekly-fri-17:30 target:99.5', { summaryAt: 17 * 60 + 30, summaryDay: 5, target: 0.995 }],
    ['quiet-days:Saturday,thurs-fri', { quietDays: [4, 5, 6] }],
    ['summary:weekly', { summaryAt: 9 * 60, summaryDay: 1 }],
    ['thread:off', { hasThread: false }],
    ['all-clear:on', { hasAllClear: true }],
  ])('parses %s', (text, settings) => {
    expect(read(text)).toEqual({ ...USUAL_SETTINGS, timeZone: 'Europe/Berlin', ...settings });
  });

  test.each(cases.refused)('refuses %s by its name, with an example', (text, field, message) => {
    expect(() => read(text)).toThrow(InputError);
    const problem = { message: expect.stringContaining(message), example: expect.stringContaining(`${field}:`) };
    expect(() => read(text)).toThrow(expect.objectContaining({ field, ...problem }));
  });
});

describe('a mention', () => {
  test.for([
    ['<@U0ANN>', { kind: 'person', id: 'U0ANN' }],
    ['<@W0ANN|ann>', { kind: 'person', id: 'W0ANN' }],
    ['<!subteam^S0ONCALL>', { kind: 'user-group', id: 'S0ONCALL' }],
  ] as const)('is a person or a user group: %s', ([text, mention]) => {
    expect(parseMention(text)).toEqual(mention);
  });

  test.for(['@ann', '<!here>', '<#C0ONCALL>', '<@U0ANN> <@U0BEN>', 'x<@U0ANN>', '<@U0ANN>x', '<@U0ANN|>>', ''])(
    'is nothing else: %j',
    (text) => {
      expect(() => parseMention(text)).toThrow('mention: takes one person or user group');
    },
  );
});

test.for(cases.times)('a time of the day is read from $text as $minutes minutes', ({ text, minutes }) => {
  expect(parseClock(text)).toBe(minutes);
});
