import type { AddedFailure } from './added-failures.ts';

/** The episode of a group that counts now. What failed after `afterSeq` belongs to it. */
export interface OpenSpan {
  readonly id: number;
  readonly groupKey: string;
  readonly afterSeq: number;
}

/** What new failures add to a span, as its columns are called. */
export interface SpanSum {
  readonly span_id: number;
  readonly failures: number;
  /** Events and subscribers that the span had not counted. */
  readonly events: number;
  readonly subscribers: number;
  readonly first_seen: Date;
  readonly last_seen: Date;
  /** When the first and the last of the events that failed were created. */
  readonly first_event_at: Date;
  readonly last_event_at: Date;
  readonly verdicts: readonly string[];
  readonly severities: readonly string[];
  readonly topics: readonly string[];
  readonly critical: boolean;
  readonly newest_seq: number;
  /** Of the failure recorded last. */
  readonly event_id: string | null;
  readonly transaction_id: string;
  readonly subscriber_id: string | null;
}

/** What new failures add to the spans of their groups. */
export function sumsOf(spans: readonly OpenSpan[], added: readonly AddedFailure[]): SpanSum[] {
  return spans.flatMap((span) => {
    const own = added.filter(({ group }) => group.key === span.groupKey);
    return own.length === 0 ? [] : [sumOf(span, own)];
  });
}

/** `added` holds one at least. */
function sumOf({ id, afterSeq }: OpenSpan, added: readonly AddedFailure[]): SpanSum {
  const failures = added.map(({ failure }) => failure);
  const times = added.map(({ occurredAt }) => occurredAt.getTime());
  const created = added.map(({ failure, occurredAt }) => (failure.eventCreatedAt ?? occurredAt).getTime());
  const newEvents = added.filter(({ eventInGroupBefore }) => eventInGroupBefore <= afterSeq);
  const newToSpan = added.filter(({ subscriberInGroupBefore }) => subscriberInGroupBefore <= afterSeq);
  const newest = added.reduce((one, other) => (other.seq > one.seq ? other : one));
  return {
    span_id: id,
    failures: added.length,
    events: distinct(newEvents.map(({ failure }) => failure.eventKey)).length,
    subscribers: distinct(newToSpan.map(({ failure }) => failure.subscriberId)).length,
    first_seen: new Date(Math.min(...times)),
    last_seen: new Date(Math.max(...times)),
    first_event_at: new Date(Math.min(...created)),
    last_event_at: new Date(Math.max(...created)),
    verdicts: distinct(failures.map(({ verdict }) => verdict)),
    severities: distinct(failures.map(({ severity }) => severity)),
    topics: distinct(failures.flatMap(({ topics }) => topics)),
    critical: failures.some(({ critical }) => critical),
    newest_seq: newest.seq,
    event_id: newest.failure.eventId,
    transaction_id: newest.failure.transactionId,
    subscriber_id: newest.failure.subscriberId,
  };
}

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts)].filter((text) => text !== null);
}
