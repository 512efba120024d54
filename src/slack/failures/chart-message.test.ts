import { describe, expect, test } from 'vitest';
import { bucketsOf } from '../../domain/charts/buckets.ts';
import type { Chart, Counted, CountedGroup } from '../../domain/charts/chart.ts';
import { makeChart } from '../../domain/charts/make-chart.ts';
import { ALL_FAILURES } from '../../domain/failures/failure-filter.ts';
import { ALL_RECHECKED, type Freshness } from '../../domain/polling/check.ts';
import { aRow, at, expectFit, HOSTILE, NOON, PRODUCTION, wordsOf } from '../slack.testing.ts';
import {
  altText,
  chartCaption,
  filterSubject,
  incidentSubject,
  nothingToDraw,
  numbersInstead,
  pictureWords,
} from './chart-message.ts';

const HOUR = { from: NOON, to: at(3600) };
const CURRENT: Freshness = { asOf: at(3600), isCurrent: true, notRechecked: ALL_RECHECKED };
const NONE = { groups: [], marks: [] };
const ALL = filterSubject(PRODUCTION, ALL_FAILURES);

const inMinutes = (counts: Record<number, number>) => Array.from({ length: 60 }, (_, minute) => counts[minute] ?? 0);
const group = (change: Partial<CountedGroup>): CountedGroup => ({
  ...{ channel: 'email', provider: 'sendgrid', cause: 'Mailbox full', workflow: 'order-shipped', counts: [] },
  ...change,
});

function chart(counted: Partial<Counted> = {}, checked = HOUR) {
  const some: Counted = {
    groups: [
      group({ counts: inMinutes({ 10: 30, 11: 50, 14: 5 }) }),
      group({ channel: 'sms', provider: 'twilio', counts: inMinutes({ 11: 10 }) }),
    ],
    rest: [],
    events: inMinutes({ 0: 1_200, 30: 34 }),
    marks: [
      { kind: 'deploy', name: 'api 1.2', at: at(540) },
      { kind: 'acknowledged', name: null, at: at(780) },
    ],
    unreadable: 0,
  };
  return makeChart(bucketsOf(HOUR), { ...some, ...counted }, { coverage: checked, gaps: [] });
}

describe('a chart', () => {
  test('counts one event as one', () => {
    expect(altText(chart({ events: inMinutes({ 0: 1 }) }), ALL, 'UTC')).toContain(' 1 event checked. ');
  });

  test('says the same in text as in the picture', () => {
    expect(altText(chart(), ALL, 'Europe/Berlin')).toBe(
      [
        'Bar chart: Failures in production, Wed 4 Mar 13:00 – 14:00 (Europe/Berlin).',
        '95 failures; most at 13:11: 60 in 1 min. First at 13:10, last at 13:14.',
        'By provider: 85 Email · SendGrid, 10 SMS · Twilio. 1,234 events checked.',
        'api 1.2 deployed at 13:09. Acknowledged at 13:13.',
      ].join(' '),
    );
    expect(
      chartCaption(chart(), ALL, 'U0ANN')
        .replace(/<!date\^\d+\^[^|]*\|([^>]*)>/g, '$1')
        .split('\n'),
    ).toEqual([
      '*Failures in production* · 2026-03-04 12:00 UTC – 2026-03-04 13:00 UTC',
      '95 failures · most at 12:11 UTC: 60 in 1 min · first at 12:10 UTC, last at 12:14 UTC · 1,234 events checked',
      'api 1.2 deployed at 12:09 UTC · Acknowledged at 12:13 UTC',
      'Asked for by <@U0ANN>',
    ]);
    expect(pictureWords(chart(), ALL, 'America/New_York')).toEqual({
      title: 'Failures in production',
      lines: ['Wed 4 Mar 07:00 – 08:00 · New York · 1 min a bar'],
      legend: ['85 · Email · SendGrid', '10 · SMS · Twilio'],
      timeZone: 'America/New_York',
    });
  });

  test('shows what was not checked', () => {
    const half = chart({}, { from: at(0), to: at(1800) });
    expect(altText(half, ALL, 'UTC')).toContain('Not checked: 12:30 to 13:00');
    expect(chartCaption(half, ALL, null)).toContain('⚠️ Not checked: ');
    expect(chartCaption(half, ALL, null)).not.toContain('Asked for');
  });

  test('makes no link of an address from outside', () => {
    const caption = chartCaption(chart(), { title: 'Failures', detail: 'see https://evil.example/login' }, null);
    expect(caption).toContain('see https∶//evil․example/login');
  });

  test("names its filter or an incident's cause, without contacts", () => {
    const filter = { ...ALL_FAILURES, workflows: ['weekly'], subscribers: ['anna@example.com', 'b', 'c', 'd'] };
    expect(filterSubject(PRODUCTION, filter).detail).toBe(
      'Only workflow weekly, subscriber a•••@example.com or b or c or 1 more',
    );
    const row = aRow();
    const cause = { text: 'No mailbox anna@example.com', key: 'x' };
    const incident = { ...row, tally: { ...row.tally, group: { ...row.tally.group, cause } } };
    expect(incidentSubject(incident, PRODUCTION)).toEqual({
      title: 'Email · SendGrid in production · #1',
      detail: 'No mailbox a•••@example.com',
    });
  });

  test('has no picture when nothing failed, and says so only if everything was checked', () => {
    expect(wordsOf(nothingToDraw(chart(NONE), ALL, CURRENT))).toContain(
      '✅ Nothing to draw: no failures. Failures in production,',
    );
  });

  test.each<[string, Chart, Freshness, string]>([
    ['part of the time', chart(NONE, { from: at(0), to: at(1800) }), CURRENT, '⚠️ Not checked: '],
    ['an unreadable event', chart({ ...NONE, unreadable: 2 }), CURRENT, '1,234 events checked, 2 unreadable'],
    ['what came since the last check', chart(NONE), { ...CURRENT, isCurrent: false }, 'As of 13:00:00 UTC'],
    [
      'events in progress',
      chart(NONE),
      { ...CURRENT, notRechecked: { inProgress: 3, settled: 0 } },
      '⏳ Not rechecked for this answer: 3 events in progress',
    ],
    [
      'finished events',
      chart(NONE),
      { ...CURRENT, notRechecked: { inProgress: 0, settled: 4 } },
      '⏳ Not rechecked for late failures: 4 finished events',
    ],
  ])('gives no all-clear over %s', (_, unclear, freshness, said) => {
    const message = nothingToDraw(unclear, ALL, freshness);
    expect(wordsOf(message)).toContain('⚪ Nothing to draw: no failures found.');
    expect(wordsOf(message)).toContain(said);
    expect(wordsOf(message) + message.text).not.toContain('✅');
  });

  test.each([
    [{ why: 'closed', word: 'not_in_channel' }, "Notif isn't in this conversation"],
    [{ why: 'closed', word: 'channel_not_found' }, "In a direct or group message /invite doesn't work"],
    [{ why: 'closed', word: 'restricted_action' }, 'Slack refused the picture here (restricted_action)'],
    [{ why: 'shared', sharing: 'shared' }, 'This channel is shared with another organization'],
    [
      { why: 'shared', sharing: 'unknown' },
      "Notif can't see whether people of other organizations are in this conversation",
    ],
    [{ why: 'not-granted', scope: 'files:write' }, "the Slack app wasn't granted files:write"],
    [{ why: 'not-drawn' }, "The picture couldn't be drawn"],
  ] as const)('is replaced by its numbers when it can’t be posted: %o', (reason, words) => {
    const instead = numbersInstead(chart(), ALL, reason, false);
    expect(wordsOf(instead).replaceAll("'", '’')).toContain(words.replaceAll("'", '’'));
    expect(wordsOf(instead)).toContain('95 failures · most at');
    expect(wordsOf(instead)).toContain('By provider: 85 Email · SendGrid · 10 SMS · Twilio');
    expectFit(instead);
  });

  test('names each part in those numbers, whatever the length of its cause', () => {
    const causes = Array.from({ length: 5 }, (_, index) => `${index} ${'no answer from the server '.repeat(9)}`);
    const long = chart({
      groups: causes.map((cause, index) => group({ provider: 'sendgrid', cause, counts: inMinutes({ [index]: 1 }) })),
    });
    const instead = numbersInstead(long, ALL, { why: 'not-drawn' }, false);
    for (const cause of causes) expect(wordsOf(instead)).toContain(`1 ${cause.slice(0, 70)}`);
    expectFit(instead);
  });

  test('fits Slack’s limits with any causes and names', () => {
    const long = HOSTILE.repeat(60);
    const hostile = chart({
      groups: Array.from({ length: 9 }, (_, index) =>
        group({ cause: `${index} ${long}`, counts: inMinutes({ [index]: 1 }) }),
      ),
      marks: Array.from({ length: 12 }, () => ({ kind: 'deploy' as const, name: long, at: at(60) })),
    });
    const subject = { title: 'Failures', detail: long };
    expectFit(numbersInstead(hostile, subject, { why: 'shared', sharing: 'pending' }, true));
    expect(altText(hostile, subject, 'UTC').length).toBeLessThanOrEqual(1_000);
    expect(chartCaption(hostile, subject, 'U0ANN').length).toBeLessThanOrEqual(4_000);
    expect(chartCaption(hostile, subject, 'U0ANN')).not.toContain('<!channel>');
  });
});
