import { describe, expect, test } from 'vitest';
import { MOST_ID_BYTES } from '../lib/text/shown-id.ts';
import { aDetail, aFailedEvent, aJob, anEvent, at } from '../service/event.testing.ts';
import { failureOf } from './failure.ts';
import { judge } from './judge.ts';
import { mostSevere, type RecordedVerdict, verdictClassOf } from './verdict.ts';

test("a failure's IDs are stored up to their bound", () => {
  const long = 'x'.repeat(MOST_ID_BYTES + 1);
  const event = aFailedEvent({ id: long, transactionId: long, severity: long });
  const [failure] = judge(event, at(60)).failures;
  expect(JSON.stringify(failure)).not.toContain(long);
});

test('a failure has what its attempt and event say, which can be little', () => {
  const event = anEvent({ subscriber: null, workflow: null });
  const failure = failureOf(event, aJob(), { provider: 'ses', decisive: aDetail() }, 'failed');
  expect(failure).toMatchObject({ provider: 'ses', subscriberId: null, workflow: null, workflowName: null });
});

test('a failure occurred when its detail or else its step says, but not before its event, and at an unknown time if nobody says', () => {
  const occurred = (createdAt: Date | null, stated: Date | null, updatedAt: Date | null = null) => {
    const job = { ...aJob({ updatedAt }), details: [] };
    const attempt = { provider: 'ses', decisive: aDetail({ createdAt: stated }) };
    return failureOf(anEvent({ createdAt }), job, attempt, 'failed').occurredAt;
  };
  expect(occurred(at(10), at(20), at(30))).toEqual(at(20));
  expect(occurred(at(10), null, at(30))).toEqual(at(30));
  expect(occurred(at(10), at(5))).toEqual(at(10));
  expect(occurred(null, at(5))).toEqual(at(5));
  expect(occurred(at(10), null)).toEqual(at(10));
  expect(occurred(null, null)).toBeNull();
});

test('verdicts that alert people share one class, and each other one has its own', () => {
  expect(verdictClassOf('bounced')).toBe('announced');
  expect(verdictClassOf('warning')).toBe('warning');
});

describe('the most severe of some verdicts', () => {
  const DESCENDING: readonly RecordedVerdict[] = [
    ...(['failed', 'bounced', 'partly-failed', 'stuck'] as const),
    ...(['undeliverable', 'warning', 'retried-then-fine', 'skipped-by-design'] as const),
  ];

  test('is an announced one, if any: failed before bounced before partly failed before stuck', () => {
    for (const [at, verdict] of DESCENDING.entries())
      expect(mostSevere(DESCENDING.slice(at).toReversed())).toBe(verdict);
  });

  test('is failed if none is known', () => {
    expect(mostSevere([])).toBe('failed');
  });
});
