import { describe, expect, test } from 'vitest';
import { FilterError } from '../../../lib/input/filters.ts';
import { DAY_MS } from '../../../lib/time/durations.ts';
import type { Stats, StatsRow } from '../../../lookups/stats.ts';
import { aLine, at, CTX, expectFit, NOON, PRODUCTION, wordsOf } from '../../slack.testing.ts';
import { comparedMessage, rangeBeside, statsMessage } from './stats.ts';

const aRow = (change: Partial<StatsRow> = {}): StatsRow => ({
  channel: 'email',
  name: 'sendgrid',
  delivered: 98,
  failed: 2,
  undeliverable: 0,
  lastAt: at(-60),
  lastHour: 12,
  usualHour: 10,
  firing: [],
  medianMs: 2_000,
  p95Ms: 4_000,
  isSilent: false,
  usual: null,
  changedAt: null,
  ...change,
});

const statsOf = (rows: readonly StatsRow[], range = { from: at(-86_400), to: NOON }): Stats => ({
  environment: PRODUCTION,
  range,
  read: range,
  since: null,
  givenUp: [],
  unchecked: [],
  trouble: null,
  freshness: { asOf: NOON, isCurrent: true },
  eventsChecked: 1_000,
  unreadable: 0,
  outage: null,
  silences: [],
  rows: [...rows],
});

test('a row of stats says what is usual, and when its workflow was changed', () => {
  const usual = { perHour: 41.6, share: 0.002, p95Ms: 5_000 };
  const row = aRow({ channel: '', name: 'order-shipped', usual, changedAt: at(-7_200) });
  const shown = statsMessage(aLine(), statsOf([row]), 'workflow', NOON);
  expect(wordsOf(shown)).toContain('| 42 an hour · 0.2% failed · p95 5 s · changed 10:00 UTC');
  expectFit(shown);
});

test('stats by domain name the channel and the domain, or that it is of none with several people, or of no known platform', () => {
  const rows = [aRow({ name: 'gmail.com' }), ...['email', 'push', 'sms'].map((channel) => aRow({ channel, name: '' }))];
  const shown = wordsOf(statsMessage(aLine(), statsOf(rows), 'domain', NOON));
  expect(shown).toContain('✅ Email · gmail.com | few failed · 2 of 100 (2%) |');
  expect(shown).toContain('Email · others');
  expect(shown).toContain('Push · platform unknown');
  expect(shown).toContain('✅ SMS | few failed');
});

test('two ranges are beside each other, with what only one of them has', () => {
  const week = { from: at(-8 * 86_400), to: at(-7 * 86_400) };
  const stats = statsOf([aRow(), aRow({ name: 'ses', failed: 0, p95Ms: null })]);
  const beside = statsOf(
    [aRow({ failed: 0, p95Ms: 3_000 }), aRow({ channel: 'sms', name: 'twilio', failed: 1 })],
    week,
  );
  const shown = comparedMessage(aLine({ filters: { vs: ['last-week'] } }), { stats, beside }, 'provider', NOON);
  expect(wordsOf(shown).split('\n')).toEqual([
    'production in the last day: 2 of 198 attempts failed (1%), 1,000 events checked',
    'production from 2026-02-24 12:00 UTC to 2026-02-25 12:00 UTC: 1 of 197 attempts failed (0.5%), 1,000 events checked',
    'Attempts by provider, latency without planned waits',
    'Provider | Failed | Failed before | p95 | p95 before',
    'Email · SendGrid | 2 of 100 (2%) | 0 of 98 | 4 s | 3 s',
    'Email · SES | 0 of 98 | 0 of 0 | – | –',
    'SMS · Twilio | 0 of 0 | 1 of 99 (1%) | – | 4 s',
    'Up to date 12:00:00 UTC',
    'Share',
  ]);
  expectFit(shown);
});

describe('what a range is compared with', () => {
  const day = { from: at(-86_400), to: NOON };
  const beside = (typed: string) => rangeBeside(typed, day, aLine(), CTX);

  test.each([
    ['last-week', { from: at(-8 * 86_400), to: at(-7 * 86_400) }],
    ['before', { from: at(-2 * 86_400), to: at(-86_400) }],
    ['yesterday', { from: at(-36 * 3_600), to: at(-12 * 3_600) }],
    ['2026-03-01/2026-03-02', { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') }],
  ])('is typed: %s', (typed, range) => {
    expect(beside(typed)).toEqual(range);
    expect(range.to.getTime() - range.from.getTime()).toBeGreaterThanOrEqual(DAY_MS);
  });

  test.each(['', 'a/b/c', '/', 'sometime'])('is refused as %j, with what it can be', (typed) => {
    expect(() => beside(typed)).toThrow(FilterError);
  });
});
