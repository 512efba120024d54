import type { Failure } from '../failures/failure.ts';
import type { Judgement } from '../failures/judge.ts';
import { isDelivery, type TriggeredEvent } from '../service/event.ts';
import { OUTCOME_ORDER, type Outcome, outcomeOf } from './outcome.ts';

export interface ListedEvent {
  readonly eventId: string | null;
  readonly transactionId: string;
  readonly subscriberId: string | null;
  readonly outcome: Outcome;
  readonly createdAt: Date | null;
  readonly cause: Pick<CauseCount, 'channel' | 'provider' | 'text'> | null;
}

export interface CauseCount {
  readonly channel: string;
  readonly provider: string | null;
  readonly text: string;
  readonly failures: number;
}

export type EventCounts = { readonly [O in Outcome]?: number };

/** A transaction of several events, or its newest ones. A trigger to a topic creates one event per subscriber, sometimes thousands. */
export interface TransactionTally {
  readonly transactionId: string;
  readonly events: number;
  readonly unreadable: number;
  readonly counts: EventCounts;
  /** The outcomes of the steps that send something, by channel; at most `MOST_CHANNELS`. */
  readonly channels: ReadonlyMap<string, EventCounts>;
  readonly workflowNames: readonly string[];
  readonly topicKeys: readonly string[];
  /** Causes by `channel`, `provider` and key; at most `MOST_CAUSES` different ones. */
  readonly causes: ReadonlyMap<string, CauseCount>;
  /** At most `MOST_LISTED`, the most severe first. */
  readonly listed: readonly ListedEvent[];
}

/** These bound memory, whatever the number of events. */
const MOST_LISTED = 50;
const MOST_CAUSES = 50;
const MOST_NAMES = 5;
const MOST_CHANNELS = 12;

export function emptyTally(transactionId: string): TransactionTally {
  return {
    transactionId,
    events: 0,
    unreadable: 0,
    counts: {},
    channels: new Map(),
    workflowNames: [],
    topicKeys: [],
    causes: new Map(),
    listed: [],
  };
}

export function addToTally(tally: TransactionTally, event: TriggeredEvent, judgement: Judgement): TransactionTally {
  return {
    ...tally,
    events: tally.events + 1,
    counts: withOneMore(tally.counts, outcomeOf(event, judgement)),
    channels: judgement.steps
      .filter(({ job }) => isDelivery(job))
      .reduce((channels, step) => withStep(channels, step.job.type, outcomeOf(event, step)), tally.channels),
    workflowNames: event.workflow ? withName(tally.workflowNames, event.workflow.name) : tally.workflowNames,
    topicKeys: event.topicKeys.reduce(withName, tally.topicKeys),
    causes: judgement.failures.reduce(withCause, tally.causes),
    listed: listedWith(tally.listed, listedEvent(event, judgement)),
  };
}

export function listedEvent(event: TriggeredEvent, judgement: Judgement): ListedEvent {
  const outcome = outcomeOf(event, judgement);
  const failure = judgement.failures.find((one) => one.verdict === outcome);
  const cause = failure && { channel: failure.channel, provider: failure.provider, text: failure.cause.text };
  return {
    eventId: event.id,
    transactionId: event.transactionId,
    subscriberId: event.subscriber?.subscriberId ?? null,
    outcome,
    createdAt: event.createdAt,
    cause: cause ?? null,
  };
}

function withOneMore(counts: EventCounts, outcome: Outcome): EventCounts {
  return { ...counts, [outcome]: (counts[outcome] ?? 0) + 1 };
}

function withStep(
  channels: ReadonlyMap<string, EventCounts>,
  channel: string,
  outcome: Outcome,
): ReadonlyMap<string, EventCounts> {
  const known = channels.get(channel);
  if (known === undefined && channels.size >= MOST_CHANNELS) return channels;
  return new Map(channels).set(channel, withOneMore(known ?? {}, outcome));
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
  const at = listed.findLastIndex((other) => rank(other) <= rank(event)) + 1;
  return listed.toSpliced(at, 0, event).slice(0, MOST_LISTED);
}

function rank(event: ListedEvent): number {
  return OUTCOME_ORDER.indexOf(event.outcome);
}
