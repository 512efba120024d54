import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { channelAsMeant } from '../delivery-channels.ts';
import { anEnvironment } from '../environment.testing.ts';
import { InputError } from '../errors.ts';
import { keptLabels, keptSubscribers } from '../failures/failure-filter.ts';
import { WATCHED_VERDICTS } from '../failures/verdict.ts';
import { parseCommandText } from '../input/filters.ts';
import { aContact, reveals } from '../text/contact-ids.testing.ts';
import { shownId } from '../text/shown-id.ts';
import { EVERYTHING, UNFILTERED, type WatchSettings } from './watch.ts';
import {
  commandOf,
  describeWatch,
  filtersOf,
  isSameWatch,
  parseWatchSettings,
  problemsWith,
  refuseUnwatchable,
  settingsKey,
} from './watch-settings.ts';

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

describe('readWatchSettings', () => {
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

describe('describeWatch', () => {
  test('returns what somebody would type', () => {
    const text =
      'workflow:order-shipped,"Weekly news" min:5 within:10m rate:2.5% every:2h mention:<@U0ANN> quiet:22:00-07:00';
    expect(describeWatch(read(text))).toBe(text.replace(' min:5', ' env:production min:5').concat(' tz:Europe/Berlin'));
  });

  test('has no contact among its subscribers, so that it is the same for everyone', () => {
    fc.assert(
      fc.property(fc.array(aContact(), { minLength: 1, maxLength: 5 }), (contacts) => {
        const subscriber = contacts.map(({ id }) => id);
        const text = describeWatch(parseWatchSettings({ subscriber }, DEFAULTS));
        expect(contacts.filter((contact) => reveals(text, contact))).toEqual([]);
        expect(shownId(text, 'everyone')).toBe(text);
      }),
    );
  });

  test('is parsed back as the same settings', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const minutes = fc.integer({ min: 1, max: 1440 }).map((count) => count * MINUTE);
    const names = fc.uniqueArray(
      fc.stringMatching(/^[a-zA-Z0-9äöü&:,.'/#_ -]{1,20}$/).map((name) => `x${name}`.trim()),
      {
        maxLength: 3,
      },
    );
    const labels = fc
      .tuple(names, fc.subarray(['user:anna@example.com', 'user:bob@example.com', 'token:abc', 'password=hunter2']))
      .map((parts) => parts.flat());
    const unique = (all: readonly string[]) => [...new Set(all)];
    const subscribers = fc.uniqueArray(
      fc.oneof(
        aContact().map(({ id }) => id.trim()),
        fc.uuid(),
      ),
      { maxLength: 3 },
    );
    const lower = names.map((all) => [...new Set(all.map((name) => name.toLowerCase()))]);
    const settings: fc.Arbitrary<WatchSettings> = fc.record({
      filter: fc.record({
        environments: fc.subarray(['production', 'staging']),
        workflows: names,
        channels: lower.map((all) => [...new Set(all.map(channelAsMeant))]),
        providers: names,
        subscribers: subscribers.map((ids) => unique(keptSubscribers(ids))),
        severities: lower,
        verdicts: fc.subarray([...WATCHED_VERDICTS]),
        topics: names,
        contexts: labels.map((all) => unique(keptLabels(all))),
        tags: labels.map((all) => unique(keptLabels(all))),
      }),
      threshold: fc.option(
        fc.oneof(
          fc.record({ failures: fc.integer({ min: 2, max: 100_000 }), withinMs: minutes, rate: fc.constant(null) }),
          fc.record({
            failures: fc.integer({ min: 1, max: 100_000 }),
            withinMs: minutes,
            rate: fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 10_000),
          }),
        ),
      ),
      everyMs: fc.oneof(fc.constant(0), minutes),
      mention: fc.option(
        fc.constantFrom({ kind: 'person', id: 'U0ANN' } as const, { kind: 'user-group', id: 'S0ONCALL' } as const),
      ),
      quiet: fc.option(fc.record({ from: minute, to: minute }).filter(({ from, to }) => from !== to)),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'),
      summaryAt: fc.option(minute),
      hasThread: fc.boolean(),
      hasChanges: fc.boolean(),
    });
    fc.assert(
      fc.property(settings, (watched) => {
        expect(read(describeWatch(watched))).toEqual(watched);
      }),
    );
  });
});

describe('the command for a watch', () => {
  test('makes the same watch', () => {
    const settings = read('workflow:"Weekly news" min:5 summary:off');
    expect(commandOf(settings)).toBe(`/notif watch ${describeWatch(settings)}`);
  });

  test.for(['Anna’s news', 'Q&amp;A', 'a "quoted" name', ''])(
    "is none if typed text can't have a name as it is: %j",
    (name) => {
      expect(commandOf({ ...UNFILTERED, filter: { ...EVERYTHING, workflows: [name] } })).toBeNull();
    },
  );
});

test('the filters of a watch leave out what is usual, except its environments and its zone', () => {
  expect(filtersOf(UNFILTERED)).toEqual({ env: ['all'], tz: ['UTC'] });
  expect(filtersOf(read('summary:off thread:off changes:on rate:5%'))).toEqual({
    env: ['production'],
    min: ['1'],
    within: ['10m'],
    rate: ['5%'],
    tz: ['Europe/Berlin'],
    summary: ['off'],
    thread: ['off'],
    changes: ['on'],
  });
});

describe('two watches', () => {
  const watch = read('workflow:welcome,order-shipped channel:email quiet:22-7');

  test('are the same in whatever order they name values', () => {
    const other = read('channel:email quiet:22-7 workflow:order-shipped,welcome');
    expect(isSameWatch(watch, other, 'said')).toBe(true);
    expect(settingsKey(watch)).toBe(settingsKey(other));
    expect(settingsKey(watch)).toMatch(/^[\da-f]{16}$/);
  });

  test.for(['channel:email quiet:22-7', 'workflow:welcome,order-shipped channel:email quiet:22-8'])(
    'differ by any setting: %s',
    (text) => {
      expect(isSameWatch(watch, read(text), 'said')).toBe(false);
      expect(isSameWatch(watch, read(text), 'unsaid')).toBe(false);
      expect(settingsKey(watch)).not.toBe(settingsKey(read(text)));
    },
  );

  test('differ by a zone that somebody named', () => {
    const elsewhere = { ...watch, timeZone: 'America/New_York' };
    expect(isSameWatch(watch, elsewhere, 'said')).toBe(false);
    expect(isSameWatch(watch, elsewhere, 'unsaid')).toBe(true);
  });
});
