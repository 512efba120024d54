import { describe, expect, test } from 'vitest';
import { aDetail, aFailedEvent, aJob, at, NOON } from '../service/event.testing.ts';
import { groupOf } from './failure.ts';
import { ALL_FAILURES, matcherOf } from './failure-filter.ts';
import { judge } from './judge.ts';
import { joinSummaries, summarize } from './tally.ts';

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
    const named = (identifier: string) => ({ workflow: { id: null, identifier, name: identifier, variables: [] } });
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
