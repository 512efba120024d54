import { describe, expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, at, aWorkflow, NOON } from '../service/event.testing.ts';
import { groupOf } from './failure.ts';
import { ALL_FAILURES, matcherOf } from './failure-filter.ts';
import { judge } from './judge.ts';
import { emptySummary, type FailureSummary, joinSummaries, shareOfGroup, summarize } from './tally.ts';

const failuresOf = (change: Parameters<typeof aFailedEvent>[0] = {}) => judge(aFailedEvent(change), at(60)).failures;
const summary = (change: Parameters<typeof aFailedEvent>[0] = {}) => summarize('production', failuresOf(change), NOON);
const withRaw = (raw: string) => ({ jobs: [aJob({ status: 'failed', details: [aDetail({ raw })] })] });

describe('grouping failures', () => {
  test('joins those with the same workflow, channel, provider and cause', () => {
    const joined = joinSummaries([summary({ id: 'a' }), summary({ id: 'b' })]);
    expect(joined.groups).toMatchObject([{ failures: 2, events: 2, verdict: 'failed' }]);
    expect(joined).toMatchObject({ failedEvents: 2, counts: { failed: 2 } });
  });

  test('separates two causes', () => {
    const parts = [summary(withRaw('{"message":"Mailbox full"}')), summary(withRaw('{"message":"Invalid API key"}'))];
    expect(joinSummaries(parts).groups).toHaveLength(2);
  });

  test('separates environments, tests and what is only counted', () => {
    const [failure] = failuresOf();
    if (!failure) throw new Error('a failed event has a failure');
    const keys = [
      groupOf('production', failure),
      groupOf('staging', failure),
      groupOf('production', { ...failure, isTest: true }),
      groupOf('production', { ...failure, verdict: 'undeliverable' }),
    ].map((group) => group.key);
    expect(new Set(keys).size).toBe(4);
    expect(groupOf('production', { ...failure, verdict: 'partly-failed' }).key).toBe(keys[0]);
  });

  test('puts critical first, then severity, then the most failures', () => {
    const named = (identifier: string) => ({ workflow: aWorkflow({ identifier, name: identifier }) });
    const joined = joinSummaries([
      summary({ ...named('many'), id: 'a' }),
      summary({ ...named('many'), id: 'b' }),
      summary({ ...named('low'), severity: 'low' }),
      summary({ ...named('critical'), critical: true }),
      summary({ ...named('high'), severity: 'high' }),
    ]);
    expect(joined.groups.map(({ group }) => group.workflow)).toEqual(['critical', 'high', 'low', 'many']);
  });

  test('gives each group its first and last time', () => {
    const failedAt = (second: number) =>
      summary({ id: `e${second}`, jobs: [aJob({ status: 'failed', details: [aDetail({ createdAt: at(second) })] })] });
    const [group] = joinSummaries([failedAt(20), failedAt(3), failedAt(9)]).groups;
    expect(group).toMatchObject({ firstSeen: at(3), lastSeen: at(20), example: { eventId: 'e20' } });
  });
});

describe('the summary of an event', () => {
  test('counts it once, by the severity and gravity of what is announced', () => {
    const [failed] = failuresOf({ severity: 'high', critical: true });
    if (!failed) throw new Error('a failed event has a failure');
    const failures = [{ ...failed, verdict: 'undeliverable' as const }, failed, failed];
    expect(summarize('production', failures, NOON)).toMatchObject({
      counts: { undeliverable: 1, failed: 2 },
      failedEvents: 1,
      bySeverity: new Map([['high', 1]]),
      critical: 1,
    });
  });

  test('has no failed event if nothing of it is announced', () => {
    const counted = failuresOf({ severity: 'high', critical: true }).map((failure) => ({
      ...failure,
      verdict: 'undeliverable' as const,
    }));
    expect(summarize('production', counted, NOON)).toMatchObject({
      groups: [{ failures: 1, events: 1, subscribers: 1 }],
      counts: { undeliverable: 1 },
      failedEvents: 0,
      bySeverity: new Map(),
      critical: 0,
    });
  });

  test('has no severity, and nothing critical, if the service says neither', () => {
    expect(summary()).toMatchObject({ failedEvents: 1, bySeverity: new Map(), critical: 0 });
  });

  test('counts no subscriber where none is named', () => {
    expect(summary({ subscriber: null }).groups).toMatchObject([{ subscribers: 0, failures: 1 }]);
  });

  test('has a failure without a time at the time of the check', () => {
    const untimed = failuresOf().map((failure) => ({ ...failure, occurredAt: null }));
    const { groups } = summarize('production', untimed, at(30));
    expect(groups).toMatchObject([{ firstSeen: at(30), lastSeen: at(30) }]);
  });
});

describe('joined summaries', () => {
  test('add up everything that was counted', () => {
    const one: FailureSummary = {
      groups: [],
      groupsLeftOut: 1,
      counts: { failed: 2, stuck: 1 },
      failedEvents: 3,
      bySeverity: new Map([['high', 2]]),
      critical: 4,
      eventsChecked: 5,
      unreadable: 6,
      workflowEvents: new Map([['invoice', 7]]),
      lateGroups: new Set(['a']),
    };
    const other: FailureSummary = {
      groups: [],
      groupsLeftOut: 10,
      counts: { failed: 20, warning: 10 },
      failedEvents: 30,
      bySeverity: new Map([
        ['high', 20],
        ['low', 10],
      ]),
      critical: 40,
      eventsChecked: 50,
      unreadable: 60,
      workflowEvents: new Map([
        ['invoice', 70],
        ['refund', 1],
      ]),
      lateGroups: new Set(['b']),
    };
    expect(joinSummaries([one, other])).toEqual({
      groups: [],
      groupsLeftOut: 11,
      counts: { failed: 22, stuck: 1, warning: 10 },
      failedEvents: 33,
      bySeverity: new Map([
        ['high', 22],
        ['low', 10],
      ]),
      critical: 44,
      eventsChecked: 55,
      unreadable: 66,
      workflowEvents: new Map([
        ['invoice', 77],
        ['refund', 1],
      ]),
      lateGroups: new Set(['a', 'b']),
    });
  });

  test('of nothing are empty', () => {
    expect(joinSummaries([])).toEqual(emptySummary());
  });

  test('show a group by the gravest of its verdicts and severities, and its subscribers in both', () => {
    const [failed] = failuresOf();
    if (!failed) throw new Error('a failed event has a failure');
    const partly = { ...failed, verdict: 'partly-failed' as const, severity: 'high', occurredAt: at(9) };
    const mild = { ...failed, severity: 'low', critical: true, subscriberId: 'user-2' };
    for (const failures of [
      [partly, mild],
      [mild, partly],
    ])
      expect(joinSummaries(failures.map((one) => summarize('production', [one], NOON))).groups).toMatchObject([
        { verdict: 'failed', severity: 'high', critical: true, subscribers: 2, lastSeen: at(9) },
      ]);
  });

  test('keep the example of the first part if both failed last at the same time', () => {
    const { groups } = joinSummaries([summary({ id: 'a' }), summary({ id: 'b' })]);
    expect(groups).toMatchObject([{ example: { eventId: 'a' } }]);
  });
});

describe("a group's share of its workflow's events", () => {
  const range = { from: NOON, to: at(600) };
  const [tally] = summary().groups;
  if (!tally) throw new Error('a failed event makes a group');

  test('is of the events checked of that workflow', () => {
    const checked = { ...summary(), workflowEvents: new Map([['order-shipped', 4]]) };
    expect(shareOfGroup(checked, tally, range)).toEqual({ failed: 1, of: 4, ...range });
    expect(shareOfGroup(checked, { ...tally, group: { ...tally.group, workflow: 'invoice' } }, range)).toBeNull();
  });

  test('is unknown for a deleted workflow, whose events nobody counts', () => {
    const checked = { ...summary(), workflowEvents: new Map([['order-shipped', 4]]) };
    expect(shareOfGroup(checked, { ...tally, group: { ...tally.group, workflow: null } }, range)).toBeNull();
  });

  test('is unknown if some of what failed was created before the checked range', () => {
    const workflowEvents = new Map([['order-shipped', 4]]);
    const checked = { ...summary(), workflowEvents, lateGroups: new Set([tally.group.key]) };
    expect(shareOfGroup(checked, tally, range)).toBeNull();
  });
});

describe('filtering failures', () => {
  const [failure] = failuresOf({ severity: 'high' });
  if (!failure) throw new Error('a failed event has a failure');

  test.each([
    [{ workflows: ['ORDER shipped'] }, true],
    [{ workflows: ['order-shipped'] }, true],
    [{ workflows: ['other'] }, false],
    [{ channels: ['sms', 'email'] }, true],
    [{ providers: ['SendGrid'] }, true],
    [{ severities: ['low'] }, false],
    [{ subscribers: ['USER-1'] }, false],
    [{ subscribers: ['user-1'], channels: ['sms'] }, false],
    [{ transactions: ['txn_0001'] }, true],
  ])('%o: %s', (filter, expected) => {
    expect(matcherOf({ ...ALL_FAILURES, ...filter })(failure)).toBe(expected);
  });
});
