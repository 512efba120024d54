import type { Failure } from '../failures/failure.ts';
import { type Judgement, judgeNow } from '../failures/judge.ts';
import { ServiceError } from '../lib/errors.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { isDelivery, type TriggeredEvent } from '../service/event.ts';
import { keysOf, withoutRepeats } from '../service/paging.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page, type ServiceTime } from '../service/query.ts';
import { OUTCOME_ORDER, type Outcome, outcomeOf } from './outcome.ts';
import { beginSteps, type StepsReader, withSteps } from './with-steps.ts';

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
  const failure = judgement.failures.find((failure) => failure.verdict === outcome);
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

export interface TransactionReader extends StepsReader, ServiceTime {
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
}

export interface ReadTransactionCtx {
  readonly service: TransactionReader;
  readonly now: () => Date;
}

/** The most pages of fifty, and the longest time, for reading a transaction's events; the answer says if that didn't cover them all. */
const MOST_PAGES = 40;
const LONGEST_READING_MS = 10_000;

const CALL: Call = { who: 'person' };

export interface TransactionRead {
  readonly tally: TransactionTally;
  readonly isAll: boolean;
  /** The transaction's event if it has only one, and none that couldn't be read. */
  readonly only: TriggeredEvent | null;
  readonly trouble: ServiceError | null;
}

/** Reads a transaction's events, the newest first. Throws `ServiceError` if the first page fails. */
export async function readTransaction(ctx: ReadTransactionCtx, transactionId: string): Promise<TransactionRead> {
  const { service, now } = ctx;
  const isSpent = budget(now);
  const steps = beginSteps();
  const earlier = new Set<string>();
  // Pinned, so that what is added meanwhile moves no page.
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  let pages = 0;
  let tally = emptyTally(transactionId);
  let only: TriggeredEvent | null = null;
  try {
    for await (const read of service.eventPages(query, CALL)) {
      const { items, unreadable } = withoutRepeats(read, earlier);
      for (const event of await withSteps(items, service, CALL, steps)) {
        only = tally.events === 0 ? event : null;
        tally = addToTally(tally, event, judgeNow(event, ctx));
      }
      tally = { ...tally, unreadable: tally.unreadable + unreadable.length };
      for (const key of keysOf(read)) earlier.add(key);
      pages += 1;
      if (read.hasMore && isSpent(pages)) return { tally, isAll: false, only: null, trouble: null };
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || pages === 0) throw error;
    return { tally, isAll: false, only: null, trouble: error };
  }
  return { tally, isAll: true, only: tally.unreadable === 0 ? only : null, trouble: null };
}

function budget(now: () => Date): (pages: number) => boolean {
  const startedAt = now().getTime();
  return (pages) => pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS;
}
