import { type JudgedEvent, type Judgement, judgeNow } from '../failures/judge.ts';
import type { EventReader } from '../lib/ctx.ts';
import { ServiceError } from '../lib/errors.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { isDelivery, type TriggeredEvent } from '../service/event.ts';
import { PAGE_SIZE, PERSON } from '../service/query.ts';
import { beginSteps, OUTCOME_ORDER, type Outcome, outcomeOf, withSteps } from './steps.ts';

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

const MOST_LISTED = 50;
const MOST_CAUSES = 50;
const MOST_NAMES = 5;
const MOST_CHANNELS = 12;

export function tallyOf(transactionId: string, judged: readonly JudgedEvent[], unreadable = 0): TransactionTally {
  const sent = judged.flatMap(({ event, judgement }) =>
    judgement.steps
      .filter(({ job }) => isDelivery(job))
      .map((step) => ({ channel: step.job.type, outcome: outcomeOf(event, step) })),
  );
  const listed = judged.map(({ event, judgement }) => listedEvent(event, judgement));
  const causes = new Map<string, CauseCount>();
  for (const { channel, provider, cause } of judged.flatMap(({ judgement }) => judgement.failures)) {
    const key = JSON.stringify([channel, provider, cause.key]);
    causes.set(key, { channel, provider, text: cause.text, failures: (causes.get(key)?.failures ?? 0) + 1 });
  }
  const ofChannel = (channel: string) => sent.filter((step) => step.channel === channel);
  return {
    transactionId,
    events: judged.length,
    unreadable,
    counts: countsOf(listed),
    channels: new Map(
      firstOf(
        sent.map(({ channel }) => channel),
        MOST_CHANNELS,
      ).map((name) => [name, countsOf(ofChannel(name))]),
    ),
    workflowNames: firstOf(
      judged.flatMap(({ event }) => event.workflow?.name ?? []),
      MOST_NAMES,
    ),
    topicKeys: firstOf(
      judged.flatMap(({ event }) => event.topicKeys),
      MOST_NAMES,
    ),
    causes: new Map([...causes].slice(0, MOST_CAUSES)),
    listed: listed.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_LISTED),
  };
}

function firstOf(names: readonly string[], most: number): readonly string[] {
  return [...new Set(names)].slice(0, most);
}

function countsOf(outcomes: readonly { readonly outcome: Outcome }[]): EventCounts {
  const counts: { [O in Outcome]?: number } = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

export function listedEvent(event: TriggeredEvent, judgement: Judgement): ListedEvent {
  const outcome = outcomeOf(event, judgement);
  const failure = judgement.failures.find(({ verdict }) => verdict === outcome);
  return {
    eventId: event.id,
    transactionId: event.transactionId,
    subscriberId: event.subscriber?.subscriberId ?? null,
    outcome,
    createdAt: event.createdAt,
    cause: failure ? { channel: failure.channel, provider: failure.provider, text: failure.cause.text } : null,
  };
}

function rank({ outcome }: ListedEvent): number {
  return OUTCOME_ORDER.indexOf(outcome);
}

/** Pages of fifty. The answer says if that didn't cover them all. */
const MOST_PAGES = 40;
const LONGEST_READING_MS = 10_000;

export interface TransactionRead {
  readonly tally: TransactionTally;
  readonly isAll: boolean;
  /** The transaction's event if it has only one, and none that couldn't be read. */
  readonly only: TriggeredEvent | null;
  readonly trouble: ServiceError | null;
}

/** Reads a transaction's events, the newest first. Throws `ServiceError` if the first page fails. */
export async function readTransaction(
  ctx: { readonly service: EventReader; readonly now: () => Date },
  transactionId: string,
): Promise<TransactionRead> {
  const { service, now } = ctx;
  const startedAt = now().getTime();
  const steps = beginSteps();
  // Pinned, so that what is added meanwhile moves no page.
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  const judged: JudgedEvent[] = [];
  let [pages, lost, isAll] = [0, 0, true];
  let trouble: ServiceError | null = null;
  try {
    for await (const page of service.eventPages(query, PERSON)) {
      const events = await withSteps(page.items, service, PERSON, steps);
      judged.push(...events.map((event) => ({ event, judgement: judgeNow(event, ctx) })));
      lost += page.unreadable.length;
      pages += 1;
      isAll = !page.hasMore;
      if (pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS) break;
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || pages === 0) throw error;
    [isAll, trouble] = [false, error];
  }
  const only = isAll && lost === 0 && judged.length === 1 ? judged[0]?.event : undefined;
  return { tally: tallyOf(transactionId, judged, lost), isAll, only: only ?? null, trouble };
}
