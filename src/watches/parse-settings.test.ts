import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_FAILURES, FILTER_NAMES, type FilterName, storableId, storableLabels } from '../judging/filter.ts';
import { WATCHED_VERDICTS } from '../judging/verdict.ts';
import { aContact, reveals } from '../lib/text/contact-ids.testing.ts';
import { maskedId } from '../lib/text/shown-id.ts';
import { channelKey } from '../service/channels.ts';
import { describeWatch, filtersOf, isSameWatch, parseWatchSettings } from './parse-settings.ts';
import { SILENCES, USUAL_SETTINGS, type WatchSettings } from './settings.ts';
import { DEFAULTS, settingsTyped } from './watch.testing.ts';

const MINUTE = 60_000;

describe('describeWatch', () => {
  test('returns what somebody would type', () => {
    const text =
      'workflow:order-shipped,"Weekly news" min:5 within:10m rate:2.5% every:2h mention:<@U0ANN> quiet:22:00-07:00';
    const described = text.replace(' min:5', ' env:all min:5').concat(' tz:Europe/Berlin');
    expect(describeWatch(settingsTyped(text))).toBe(described);
  });

  test('has no contact among its subscribers, so that it is the same for everyone', () => {
    fc.assert(
      fc.property(fc.array(aContact(), { minLength: 1, maxLength: 5 }), (contacts) => {
        const subscriber = contacts.map(({ id }) => id);
        const text = describeWatch(parseWatchSettings({ subscriber }, DEFAULTS));
        expect(contacts.filter((contact) => reveals(text, contact))).toEqual([]);
        expect(maskedId(text)).toBe(text);
      }),
    );
  });

  test('is parsed back as the same settings', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const minutes = fc.integer({ min: 1, max: 1440 }).map((count) => count * MINUTE);
    const name = fc.stringMatching(/^[a-zA-Z0-9äöü&:,.'/#_ -]{1,20}$/).map((text) => `x${text}`.trim());
    const names = fc.uniqueArray(name, { maxLength: 3 });
    const labels = fc
      .tuple(names, fc.subarray(['user:anna@example.com', 'user:bob@example.com', 'token:abc', 'password=hunter2']))
      .map((lists) => lists.flat());
    const unique = (all: readonly string[]) => [...new Set(all)];
    const contact = aContact().map(({ id }) => id.trim());
    const subscribers = fc.uniqueArray(fc.oneof(contact, fc.uuid()), { maxLength: 3 });
    const lower = names.map((all) => unique(all.map((text) => text.toLowerCase())));
    const settings: fc.Arbitrary<WatchSettings> = fc.record({
      filter: fc.record({
        ...(Object.fromEntries(FILTER_NAMES.map((name) => [name, names])) as Record<FilterName, typeof names>),
        environments: fc.subarray(['production', 'staging']),
        channels: lower.map((all) => unique(all.map(channelKey))),
        subscribers: subscribers.map((ids) => unique(ids.map(storableId))),
        transactions: fc.constant([]),
        severities: lower,
        verdicts: fc.subarray([...WATCHED_VERDICTS]),
        contexts: labels.map((contexts) => unique(storableLabels({ ...ALL_FAILURES, contexts }).contexts)),
        domains: names.map((all) => unique(all.map((text) => text.toLowerCase().replace(/^.*@/, '')))),
        tags: labels.map((tags) => unique(storableLabels({ ...ALL_FAILURES, tags }).tags)),
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
      escalateMs: fc.option(minutes),
      mention: fc.option(
        fc.constantFrom({ kind: 'person', id: 'U0ANN' } as const, { kind: 'user-group', id: 'S0ONCALL' } as const),
      ),
      quietDays: fc.subarray([1, 2, 3, 4, 5, 6]),
      quiet: fc.option(fc.record({ from: minute, to: minute }).filter(({ from, to }) => from !== to)),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'),
      summaryAt: fc.option(minute),
      summaryDay: fc.option(fc.integer({ min: 0, max: 6 })),
      target: fc.option(fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 100_000)),
      hasThread: fc.boolean(),
      hasAllClear: fc.boolean(),
      hasChanges: fc.boolean(),
      silence: fc.constantFrom(...SILENCES),
    });
    const accepted = settings
      .filter(({ hasThread, hasAllClear }) => hasThread || !hasAllClear)
      .filter(({ summaryAt, summaryDay }) => summaryAt !== null || summaryDay === null);
    fc.assert(
      fc.property(accepted, (watched) => {
        expect(settingsTyped(describeWatch(watched))).toEqual(watched);
      }),
    );
  });
});

test('the filters of a watch leave out what is usual, except its environments and its zone', () => {
  expect(filtersOf(USUAL_SETTINGS)).toEqual({ env: ['all'], tz: ['UTC'] });
  expect(filtersOf(settingsTyped('summary:off thread:off changes:on rate:5%'))).toEqual({
    env: ['all'],
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
  const watch = settingsTyped('workflow:welcome,order-shipped channel:email quiet:22-7');

  test('are the same in whatever order they name values', () => {
    const other = settingsTyped('channel:email quiet:22-7 workflow:order-shipped,welcome');
    expect(isSameWatch(watch, other)).toBe(true);
  });

  test.for(['channel:email quiet:22-7', 'workflow:welcome,order-shipped channel:email quiet:22-8'])(
    'differ by any setting: %s',
    (text) => {
      expect(isSameWatch(watch, settingsTyped(text))).toBe(false);
    },
  );
});
