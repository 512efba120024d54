import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { InputError } from '../lib/errors.ts';
import { parseCommandText } from '../lib/input/filters.ts';
import {
  parseClock,
  parseEvery,
  parseFailures,
  parseMention,
  parseNames,
  parseQuiet,
  parseRate,
  parseSummaryAt,
  parseSwitch,
  parseWatchSettings,
  parseWithin,
  problemsWith,
  refuseUnwatchable,
} from './parse-settings.ts';
import { EVERYTHING, UNFILTERED, type WatchSettings } from './settings.ts';

const DEFAULTS = {
  environments: [anEnvironment(), { ...anEnvironment(), name: 'staging', label: 'staging' }],
  usualEnvironments: ['production'],
  timeZone: 'Europe/Berlin',
};
const USUAL = { ...EVERYTHING, environments: ['production'] };
const MINUTE = 60_000;
function read(text: string) {
  const { email: _, ...filters } = parseCommandText(text).filters;
  return parseWatchSettings(filters, DEFAULTS);
}

describe('parseWatchSettings', () => {
  test('by default watches all of the default environment, alerts at once, in the default zone', () => {
    expect(read('')).toEqual({ ...UNFILTERED, filter: USUAL, timeZone: 'Europe/Berlin' });
  });

  test.each<[text: string, settings: Partial<WatchSettings>]>([
    ['workflow:order-shipped,"Weekly news"', { filter: { ...USUAL, workflows: ['order-shipped', 'Weekly news'] } }],
    ['channel:In-App,EMAIL', { filter: { ...USUAL, channels: ['in_app', 'email'] } }],
    ['severity:High severity:high', { filter: { ...USUAL, severities: ['high'] } }],
    ['verdict:bounced,"partly failed"', { filter: { ...USUAL, verdicts: ['bounced', 'partly-failed'] } }],
    [
      'context:tenant:acme,user:anna@customer.example tag:"password=hunter2"',
      {
        filter: {
          ...USUAL,
          contexts: ['tenant:acme', '•••@customer.example'],
          tags: ['password=•••'],
        },
      },
    ],
    ['subscriber:user-42,User-7 subscriber:user-42', { filter: { ...USUAL, subscribers: ['user-42', 'User-7'] } }],
    ['subscriber:anna@example.com', { filter: { ...USUAL, subscribers: ['a•••@example.com'] } }],
    ['env:all', { filter: EVERYTHING }],
    ['env:staging,All', { filter: EVERYTHING }],
    ['env:staging,production', { filter: { ...EVERYTHING, environments: ['staging', 'production'] } }],
    ['topic:launch provider:sendgrid', { filter: { ...USUAL, topics: ['launch'], providers: ['sendgrid'] } }],
    [
      'context:tenant:acme tag:checkout,vip',
      { filter: { ...USUAL, contexts: ['tenant:acme'], tags: ['checkout', 'vip'] } },
    ],
    ['min:1 within:10m', { threshold: null }],
    ['quiet:10pm-7am summary:5:30pm', { quiet: { from: 22 * 60, to: 7 * 60 }, summaryAt: 17 * 60 + 30 }],
    ['min:5', { threshold: { failures: 5, withinMs: 10 * MINUTE, rate: null } }],
    ['min:5 within:1h', { threshold: { failures: 5, withinMs: 60 * MINUTE, rate: null } }],
    ['rate:5%', { threshold: { failures: 1, withinMs: 10 * MINUTE, rate: 0.05 } }],
    ['rate:0.5 within:30m', { threshold: { failures: 1, withinMs: 30 * MINUTE, rate: 0.005 } }],
    ['min:1', { threshold: null }],
    ['min:2', { threshold: { failures: 2, withinMs: 10 * MINUTE, rate: null } }],
    ['min:5 rate:5%', { threshold: { failures: 5, withinMs: 10 * MINUTE, rate: 0.05 } }],
    ['every:15m', { everyMs: 15 * MINUTE }],
    ['every:off', { everyMs: 0 }],
    ['mention:<@U0ANN|ann>', { mention: { kind: 'person', id: 'U0ANN' } }],
    ['mention:<!subteam^S0ONCALL|@oncall>', { mention: { kind: 'user-group', id: 'S0ONCALL' } }],
    ['quiet:22:00-07:00', { quiet: { from: 22 * 60, to: 7 * 60 } }],
    ['quiet:22–7', { quiet: { from: 22 * 60, to: 7 * 60 } }],
    ['tz:america/new_york', { timeZone: 'America/New_York' }],
    ['tz:"new york"', { timeZone: 'America/New_York' }],
    ['summary:17:30', { summaryAt: 17 * 60 + 30 }],
    ['summary:off', { summaryAt: null }],
    ['thread:off', { hasThread: false }],
    ['thread:on', { hasThread: true }],
    ['all-clear:on', { hasAllClear: true }],
    ['changes:on', { hasChanges: true }],
    ['changes:off', { hasChanges: false }],
  ])('parses %s', (text, settings) => {
    expect(read(text)).toEqual({ ...UNFILTERED, filter: USUAL, timeZone: 'Europe/Berlin', ...settings });
  });

  test.each<readonly [text: string, field: string, message: string]>([
    ['verdict:undeliverable', 'verdict', 'failed, partly-failed, bounced, stuck, warning; the others are only counted'],
    ['verdict:bounce', 'verdict', 'Did you mean bounced?'],
    ['env:prod', 'env', 'There is no environment prod'],
    ['min:0', 'min', 'takes a number of failures'],
    ['min:many', 'min', 'takes a number of failures'],
    ['min:5 min:6', 'min', 'takes one value'],
    ['within:10m', 'within', 'goes with min: or rate:'],
    ['min:5 within:90s', 'within', 'whole minutes'],
    ['min:5 within:2d', 'within', 'from 1m to 24h'],
    ['rate:0%', 'rate', 'a percentage'],
    ['rate:101%', 'rate', 'a percentage'],
    ['every:1s', 'every', 'whole minutes'],
    ['mention:@nobody', 'mention', 'one person or user group'],
    ['mention:<!here>', 'mention', 'not everybody'],
    ['quiet:22:00', 'quiet', 'two times of the day'],
    ['quiet:22:00-22:00', 'quiet', 'two times of the day'],
    ['tz:+02:00', 'tz', 'the name of a time zone'],
    ['tz:Europe/Berlon', 'tz', 'Did you mean Europe/Berlin?'],
    ['summary:25:00', 'summary', 'a time of the day'],
    ['thread:maybe', 'thread', 'takes on or off'],
    ['changes:maybe', 'changes', 'takes on or off'],
    ...(['workflow', 'channel', 'provider', 'subscriber', 'severity', 'topic', 'context', 'tag'] as const).map(
      (key) => [`${key}:${'x'.repeat(101)}`, key, 'up to 100 characters'] as const,
    ),
    [`topic:${Array.from({ length: 21 }, (_, index) => `t${index}`).join()}`, 'topic', 'at most 20 values'],
  ])('refuses %s by its name, with an example', (text, field, message) => {
    expect(() => read(text)).toThrow(InputError);
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        field,
        message: expect.stringContaining(message),
        example: expect.stringContaining(`${field}:`),
      }),
    );
  });
});

describe('refuseUnwatchable', () => {
  test('refuses a transaction with the reason and what to use', () => {
    expect(() => refuseUnwatchable(parseCommandText('tx:txn_8f2c91').filters)).toThrow(
      expect.objectContaining({
        field: 'tx',
        message: expect.stringContaining('failures to come'),
        example: '/notif failures tx:txn_8f2c91',
      }),
    );
  });

  test('takes the filters of a watch', () => {
    expect(() => refuseUnwatchable(parseCommandText('subscriber:user-42').filters)).not.toThrow();
  });
});

describe('problemsWith', () => {
  test('names every mistake of a form', () => {
    const { filters } = parseCommandText('min:no every:1s summary:25:00 channel:email');
    expect(problemsWith(filters, DEFAULTS).map(({ field }) => field)).toEqual(['min', 'every', 'summary']);
    const { filters: three } = parseCommandText('min:no within:1s rate:200% severity:high email:anna');
    expect(problemsWith(three, DEFAULTS).map(({ field }) => field)).toEqual(['email', 'min', 'within', 'rate']);
  });

  test("names what doesn't go together", () => {
    const { filters } = parseCommandText('within:1h');
    expect(problemsWith(filters, DEFAULTS)).toEqual([
      expect.objectContaining({
        field: 'within',
        message: 'within: goes with min: or rate:.',
        example: 'min:5 within:10m',
      }),
    ]);
  });

  test('names each mistake once, and nothing about what goes together before fields are right', () => {
    const { filters } = parseCommandText('within:1h every:1s');
    expect(problemsWith(filters, DEFAULTS).map(({ field }) => field)).toEqual(['every']);
  });

  test('finds none if settings are valid', () => {
    expect(
      problemsWith(parseCommandText('min:5 within:1h quiet:22-7 email:anna@example.com').filters, DEFAULTS),
    ).toEqual([]);
  });
});

const DAY = 24 * 60 * MINUTE;

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'accepted';
}

describe('names', () => {
  test('are without quotes and blanks around them, each once', () => {
    expect(parseNames('workflow', [' welcome ', '"welcome"', 'order "shipped"', '""', ' '])).toEqual([
      'welcome',
      'order shipped',
    ]);
  });

  test('are at most twenty of up to a hundred characters', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`);
    expect(parseNames('topic', names(20))).toHaveLength(20);
    expect(refusal(() => parseNames('topic', names(21)))).toBe('topic: takes at most 20 values.');
    expect(parseNames('tag', ['x'.repeat(100)])).toHaveLength(1);
    expect(refusal(() => parseNames('tag', ['short', 'x'.repeat(101)]))).toBe(
      'tag: takes names of up to 100 characters.',
    );
  });
});

describe('numbers', () => {
  test.for([
    ['1', 1],
    ['100000', 100_000],
  ] as const)('of failures go from 1 to 100,000: %s', ([text, failures]) => {
    expect(parseFailures(text)).toBe(failures);
  });

  test.for(['0', '100001', '-1', '1.5', '5x', 'x5', ''])('of failures are nothing else: %j', (text) => {
    expect(refusal(() => parseFailures(text))).toBe('min: takes a number of failures, from 1 to 100,000.');
  });

  test.for([
    ['100%', 1],
    ['5', 0.05],
    ['5  %', 0.05],
    ['2.5%', 0.025],
    ['2,25%', 0.0225],
    ['0.01%', 0.0001],
  ] as const)('of percent go up to a hundred: %s', ([text, rate]) => {
    expect(parseRate(text)).toBe(rate);
  });

  test.for(['0%', '100.01%', '1000%', '5%%', '1.234%', '.5%', 'x5%', '5%x', ''])(
    'of percent are nothing else: %j',
    (text) => {
      expect(refusal(() => parseRate(text))).toBe("rate: takes a percentage of the workflow's events, up to 100%.");
    },
  );
});

describe('times', () => {
  const within = 'within: takes a time of whole minutes, from 1m to 24h.';
  const every = 'every: takes a time of whole minutes, from 1m to 24h, or off.';

  test.for([
    ['1m', MINUTE],
    ['90M', 90 * MINUTE],
    ['24h', DAY],
  ] as const)('are whole minutes up to a day: %s', ([text, ms]) => {
    expect(parseWithin(text)).toBe(ms);
    expect(parseEvery(text)).toBe(ms);
  });

  test.for(['59s', '61s', '1441m', '0m', 'soon', ''])('are nothing else: %j', (text) => {
    expect(refusal(() => parseWithin(text))).toBe(within);
    expect(refusal(() => parseEvery(text))).toBe(every);
  });

  test.for(['off', 'None', ' no '])('between alerts can be %j', (text) => {
    expect(parseEvery(text)).toBe(0);
    expect(refusal(() => parseWithin(text))).toBe(within);
  });
});

describe('a mention', () => {
  test.for([
    ['<@U0ANN>', { kind: 'person', id: 'U0ANN' }],
    ['<@W0ANN|ann>', { kind: 'person', id: 'W0ANN' }],
    ['<!subteam^S0ONCALL>', { kind: 'user-group', id: 'S0ONCALL' }],
    ['off', null],
  ] as const)('is a person, a user group or nobody: %s', ([text, mention]) => {
    expect(parseMention(text)).toEqual(mention);
  });

  test.for(['@ann', '<!here>', '<#C0ONCALL>', '<@U0ANN> <@U0BEN>', 'x<@U0ANN>', '<@U0ANN>x', '<@U0ANN|>>', ''])(
    'is nothing else: %j',
    (text) => {
      expect(refusal(() => parseMention(text))).toBe(
        'mention: takes one person or user group, as Slack offers them after an @; not everybody, and no channel.',
      );
    },
  );
});

describe('a time of the day', () => {
  test.for([
    ['9', 9 * 60],
    ['09:00', 9 * 60],
    [' 9:05 ', 9 * 60 + 5],
    ['0:00', 0],
    ['23:59', 23 * 60 + 59],
    ['9am', 9 * 60],
    ['9:30 PM', 21 * 60 + 30],
    ['12 a.m.', 0],
    ['12pm', 12 * 60],
    ['9p', null],
    ['24:00', null],
    ['9:60', null],
    ['9:5', null],
    ['13pm', null],
    ['0am', null],
    ['x9', null],
    ['9x', null],
    ['123', null],
    ['', null],
  ] as const)('is read from %j as %s minutes', ([text, minutes]) => {
    expect(parseClock(text)).toBe(minutes);
  });

  test('of a summary can be off', () => {
    expect(parseSummaryAt('5:30pm')).toBe(17 * 60 + 30);
    expect(parseSummaryAt('off')).toBeNull();
    expect(refusal(() => parseSummaryAt('noon'))).toBe('summary: takes a time of the day, or off.');
  });

  test('begins and ends quiet hours', () => {
    expect(parseQuiet('22:00-7am')).toEqual({ from: 22 * 60, to: 7 * 60 });
    expect(parseQuiet('0-1')).toEqual({ from: 0, to: 60 });
    expect(parseQuiet('off')).toBeNull();
  });

  test.for(['22:00', '22:00-', '-7:00', '22-22', '22-7-8', 'x-7', '22-x'])(
    'is needed twice for quiet hours: %j',
    (text) => {
      expect(refusal(() => parseQuiet(text))).toBe('quiet: takes two times of the day, or off.');
    },
  );
});

test('a switch is on or off', () => {
  expect(parseSwitch('thread', ' On ')).toBe(true);
  expect(parseSwitch('thread', 'OFF')).toBe(false);
  expect(refusal(() => parseSwitch('changes', 'maybe'))).toBe('changes: takes on or off.');
});
