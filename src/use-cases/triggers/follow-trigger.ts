import { addMilliseconds, min } from 'date-fns';
import { ServiceError } from '../../domain/errors.ts';
import { CLOCK_TOLERANCE_MS, listEnd, listStart } from '../../domain/polling/clock.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Call, EventQuery, Page, ServiceTime } from '../../domain/service/query.ts';
import { queryBatches } from '../../domain/service/query-batches.ts';
import { isDone, type Recipient, type TriggerAnswer, type TriggerProgress } from '../../domain/triggers/trigger.ts';
import { judgeNow } from '../judge-now.ts';
import { beginSteps, type StepsReader, withSteps } from '../with-steps.ts';

export interface TriggerReader extends StepsReader, ServiceTime {
  listEvents(query: EventQuery, call: Call): Promise<Page<TriggeredEvent>>;
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
}

export interface FollowParts {
  readonly service: TriggerReader;
  readonly now: () => Date;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal;
}

export const FOLLOW_MS = 2 * 60_000;

/** Pauses between looks: the event appears a moment after the answer, then takes its time. */
const WAITS_MS = [1_000, 1_000, 2_000, 3_000, 5_000];
const LONGEST_WAIT_MS = 10_000;

/** Up to this many are read by transaction ID, each in its own request; more are read together, by subscriber. */
const READ_SINGLY = 5;
const SUBSCRIBERS_A_QUERY = 50;

const CALL: Call = { who: 'person' };

export interface SentTrigger extends TriggerAnswer {
  readonly sentAt: Date;
}

/** Reads, and never resends. If the service can't be read, reports that as `trouble` and asks again. */
export async function* followTrigger(sent: SentTrigger, parts: FollowParts): AsyncGenerator<TriggerProgress> {
  const startedAt = parts.now();
  let recipients = sent.recipients;
  for (let look = 0; ; look += 1) {
    const seen = await lookAtTrigger({ ...sent, recipients }, parts);
    recipients = seen.recipients;
    const phase = phaseOf(recipients, startedAt, parts);
    yield { ...seen, phase };
    if (phase !== 'following' || parts.signal?.aborted) return;
    await parts.sleep(WAITS_MS[look] ?? LONGEST_WAIT_MS, parts.signal);
  }
}

export async function lookAtTrigger(
  { recipients, isAnswerLost, sentAt }: SentTrigger,
  parts: ReadParts,
): Promise<Omit<TriggerProgress, 'phase'>> {
  const pending = recipients.filter((recipient) => !isDone(recipient));
  try {
    const listed = await (pending.length <= READ_SINGLY
      ? readSingly(pending, parts)
      : readTogether(pending, sentAt, parts));
    const own = listed.filter((event) => pending.some((recipient) => isEventOf(recipient, event)));
    const read = await withSteps(own, parts.service, CALL, beginSteps());
    return { recipients: recipients.map((one) => withEvent(one, read, parts)), isAnswerLost, trouble: null };
  } catch (error) {
    if (error instanceof ServiceError) return { recipients, isAnswerLost, trouble: error };
    throw error;
  }
}

type ReadParts = Pick<FollowParts, 'service' | 'now'>;

function phaseOf(recipients: readonly Recipient[], startedAt: Date, { now }: ReadParts): TriggerProgress['phase'] {
  if (recipients.every(isDone)) return 'finished';
  return now().getTime() - startedAt.getTime() >= FOLLOW_MS ? 'out-of-time' : 'following';
}

function withEvent(recipient: Recipient, read: readonly TriggeredEvent[], parts: ReadParts): Recipient {
  const event = read.find((one) => isEventOf(recipient, one));
  return event ? { ...recipient, state: { is: 'seen', event, judgement: judgeNow(event, parts) } } : recipient;
}

function isEventOf({ transactionId, subscriberId }: Recipient, { subscriber, ...event }: TriggeredEvent): boolean {
  return event.transactionId === transactionId && (subscriber === null || subscriber.subscriberId === subscriberId);
}

async function readSingly(pending: readonly Recipient[], { service }: ReadParts): Promise<TriggeredEvent[]> {
  const pages = await Promise.all(
    pending.map(({ transactionId }) => service.listEvents({ transactionId, limit: 50 }, CALL)),
  );
  return pages.flatMap((page) => page.items);
}

/** Reads what was created right after the test was sent, however much later it's looked at. */
async function readTogether(pending: readonly Recipient[], sentAt: Date, parts: ReadParts): Promise<TriggeredEvent[]> {
  const { service, now } = parts;
  const aheadMs = service.clockAheadMs();
  const latest = addMilliseconds(sentAt, FOLLOW_MS + CLOCK_TOLERANCE_MS);
  const window = { after: listStart(sentAt, aheadMs), before: listEnd(min([latest, now()]), aheadMs) };
  const read: TriggeredEvent[] = [];
  const everybody = [...new Set(pending.map(({ subscriberId }) => subscriberId))];
  for (const subscriberIds of queryBatches(everybody, 'subscriberIds', SUBSCRIBERS_A_QUERY)) {
    const wanted = pending.filter(({ subscriberId }) => subscriberIds.includes(subscriberId));
    for await (const page of service.eventPages({ subscriberIds, ...window, limit: 50 }, CALL)) {
      read.push(...page.items);
      if (wanted.every((recipient) => read.some((event) => isEventOf(recipient, event)))) break;
    }
  }
  return read;
}
