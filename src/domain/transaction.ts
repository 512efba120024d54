import type { TriggeredEvent } from './event.ts';
import type { Failure } from './failure.ts';
import type { Judgement } from './judge.ts';
import type { Verdict } from './verdict.ts';

/** One event of a transaction, in a line. */
export interface ListedEvent {
  readonly eventId: string | null;
  readonly subscriberId: string | null;
  readonly verdict: Verdict;
  readonly createdAt: Date | null;
}

/** How often one cause failed in a transaction. */
export interface CauseCount {
  readonly channel: string;
  readonly provider: string | null;
  readonly text: string;
  readonly failures: number;
}

/** A transaction of several events: one trigger to a topic makes one for each subscriber, thousands at times. */
export interface TransactionTally {
  readonly transactionId: string;
  readonly events: number;
  readonly unreadable: number;
  /** False when there was more than could be read in one go. */
  readonly isComplete: boolean;
  readonly counts: { readonly [V in Verdict]?: number };
  readonly workflowNames: readonly string[];
  readonly topicKeys: readonly string[];
  /** Causes by `channel`, `provider` and key; at most `MOST_CAUSES` different ones. */
  readonly causes: ReadonlyMap<string, CauseCount>;
  /** At most `MOST_LISTED`, the gravest first. */
  readonly listed: readonly ListedEvent[];
}

/** Memory is bounded by these, whatever the number of events. */
const MOST_LISTED = 200;
const MOST_CAUSES = 50;
const MOST_NAMES = 5;

/** What needs eyes first. */
export const VERDICT_ORDER: readonly Verdict[] = [
  'failed',
  'partly-failed',
  'bounced',
  'stuck',
  'undeliverable',
  'in-progress',
  'retried-then-fine',
  'skipped-by-design',
  'delivered',
];

export function emptyTally(transactionId: string): TransactionTally {
  return {
    transactionId,
    events: 0,
    unreadable: 0,
    isComplete: true,
    counts: {},
    workflowNames: [],
    topicKeys: [],
    causes: new Map(),
    listed: [],
  };
}

/** The tally with one event more. */
export function addToTally(tally: TransactionTally, event: TriggeredEvent, judgement: Judgement): TransactionTally {
  return {
    ...tally,
    events: tally.events + 1,
    counts: { ...tally.counts, [judgement.verdict]: (tally.counts[judgement.verdict] ?? 0) + 1 },
    workflowNames: event.workflow ? withName(tally.workflowNames, event.workflow.name) : tally.workflowNames,
    topicKeys: event.topicKeys.reduce(withName, tally.topicKeys),
    causes: judgement.failures.reduce(withCause, tally.causes),
    listed: listedWith(tally.listed, {
      eventId: event.id,
      subscriberId: event.subscriber?.subscriberId ?? null,
      verdict: judgement.verdict,
      createdAt: event.createdAt,
    }),
  };
}

function withName(names: readonly string[], name: string): readonly string[] {
  return names.includes(name) || names.length >= MOST_NAMES ? names : [...names, name];
}

function withCause(causes: ReadonlyMap<string, CauseCount>, failure: Failure): ReadonlyMap<string, CauseCount> {
  const key = JSON.stringify([failure.channel, failure.provider, failure.cause.key]);
  const known = causes.get(key);
  if (!known && causes.size >= MOST_CAUSES) return causes;
  const count: CauseCount = {
    channel: failure.channel,
    provider: failure.provider,
    text: failure.cause.text,
    failures: (known?.failures ?? 0) + 1,
  };
  return new Map(causes).set(key, count);
}

function listedWith(listed: readonly ListedEvent[], event: ListedEvent): readonly ListedEvent[] {
  const last = listed.at(-1);
  if (listed.length >= MOST_LISTED && last && rank(last) <= rank(event)) return listed;
  const at = listed.findLastIndex((other) => rank(other) <= rank(event)) + 1;
  return listed.toSpliced(at, 0, event).slice(0, MOST_LISTED);
}

function rank(event: ListedEvent): number {
  return VERDICT_ORDER.indexOf(event.verdict);
}
