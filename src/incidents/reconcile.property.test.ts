import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../judging/failure.ts';
import { type RecordedVerdict, type VerdictClass, verdictClassOf } from '../judging/verdict.ts';
import type { Plain } from '../lib/text/shown-id.ts';
import { at, failureOf } from '../store/examples.testing.ts';
import { type FailureValues, failureValues } from './failure-values.ts';
import { type EventReading, reconcile, type StoredFailure } from './reconcile.ts';

const NO_REASON = 'no reason was given';

const wordingKeyOf = ({ provider, cause }: Failure) => `${provider} ${cause.key}`;

/** The failures of the event that a database holds after a reading. */
function applied(stored: readonly StoredFailure[], readings: readonly EventReading[]): StoredFailure[] {
  const { added, updated, removed } = reconcile(readings, stored, wordingKeyOf);
  const left = stored.filter((row) => !removed.includes(row));
  const seq = Math.max(0, ...stored.map((row) => row.seq)) + 1;
  const rows = added.map(({ failure, asOf }, index): StoredFailure => {
    const { eventKey, jobId, verdict, isTest } = failure;
    const times = { asOf, occurredAt: asOf, recordedAt: asOf, eventCreatedAt: asOf };
    const place = { environment: 'production', eventKey, jobId, provider: failure.provider ?? '' };
    const ofIncident = { incidentId: 1, wordingId: null, isTest };
    const values: Plain<FailureValues> = failureValues(failure, new Map());
    const verdictClass: VerdictClass = verdictClassOf(verdict);
    return { ...place, seq: seq + index, ...ofIncident, verdictClass, ...times, ...values, ...wordingOf(failure) };
  });
  const kept = left.map((row) => {
    const update = updated.find((other) => other.row === row);
    const worded = update?.isReworded && update.failure !== null ? wordingOf(update.failure) : {};
    return update === undefined ? row : { ...row, ...update.values, asOf: update.asOf, ...worded };
  });
  return [...kept, ...rows];
}

const wordingOf = (failure: Failure) => ({
  wordingKey: wordingKeyOf(failure),
  isUnexplained: failure.cause.key === NO_REASON,
});

const factsOf = (rows: readonly StoredFailure[]) =>
  rows.map(({ jobId, provider, verdict, wordingKey }) => [jobId, provider, verdict, wordingKey].join(' ')).sort();

const failed = fc.record({
  jobId: fc.constantFrom('sms', 'push'),
  provider: fc.constantFrom('fcm', 'expo', null),
  verdict: fc.constantFrom<RecordedVerdict>('failed', 'partly-failed', 'retried-then-fine'),
  cause: fc.constantFrom('refused', 'timed out'),
});

/** One state of an event after the other, and what lists without details show of the same. */
const states = fc
  .array(fc.uniqueArray(failed, { selector: ({ jobId, provider }) => `${jobId} ${provider}` }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((history) =>
    history.flatMap((failures, moment): EventReading[] => {
      const whole = failures.map(({ cause, ...said }) => failureOf(cause, { ...said, eventKey: 'event' }));
      const bare = [...new Map(whole.map((failure) => [failure.jobId, failure])).values()].map((failure) => {
        const cause = { text: NO_REASON, key: NO_REASON };
        return { ...failure, provider: 'first', cause, isUnexplained: true };
      });
      const reading = { eventKey: 'event', asOf: at(moment), isWhole: true };
      return [{ ...reading, failures: whole }, ...(bare.length === 0 ? [] : [{ ...reading, failures: bare }])];
    }),
  );

describe('the stored failures of an event', () => {
  test('are those of its newest state, whatever was read before, in which order, and how often', () => {
    const readings = states.chain((all) => fc.tuple(fc.constant(all), fc.array(fc.constantFrom(...all))));
    fc.assert(
      fc.property(readings, ([all, read]) => {
        const newest = all.filter(({ failures }) => !failures.some(({ isUnexplained }) => isUnexplained)).slice(-1);
        const expected = factsOf(applied([], newest));
        const orders = [...read, ...newest].reduce(
          (stored, reading) => applied(stored, [reading]),
          [] as StoredFailure[],
        );
        expect(factsOf(orders)).toEqual(expected);
        // Once a state was read, neither an older one nor a list without details changes anything.
        const later = read.reduce((stored, reading) => applied(stored, [reading]), orders);
        const hasRows = expected.length > 0;
        if (hasRows) expect(factsOf(later)).toEqual(expected);
      }),
    );
  });

  test('stay where a reading may have missed them', () => {
    const eventKey = 'event';
    const said = failureOf('refused', { eventKey });
    const stored = applied([], [{ eventKey, asOf: at(0), isWhole: true, failures: [said] }]);
    expect(applied(stored, [{ eventKey, asOf: at(1), isWhole: false, failures: [] }])).toEqual(stored);
    expect(applied(stored, [{ eventKey, asOf: at(1), isWhole: true, failures: [] }])).toEqual([]);
  });
});
