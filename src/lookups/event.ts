import { type ExplainCause, type FailureCauses, failureCauses } from '../causes/explain-cause.ts';
import { attemptsWithoutReason, withMessageReasons } from '../causes/message-reasons.ts';
import { decisiveFailure, type JudgedEvent, type Judgment, judgeNow } from '../judging/judge.ts';
import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import type { NotificationId } from '../lib/input/ids.ts';
import { withPauses } from '../lib/pauses.ts';
import { datedAhead, listEnd } from '../lib/time/service-clock.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import type { NotificationService } from '../service/operations.ts';
import { type MessageQuery, PERSON } from '../service/query.ts';
import { orServiceError, ServiceError } from '../service/service-error.ts';
import { retrieveWithOwnSteps } from '../service/steps.ts';
import { stepTimes } from './outcome.ts';
import { readTransaction, type TransactionRead } from './transaction.ts';

const MOST_MESSAGES = 100;
/** On a card; beside them, the failure that decides is always explained. */
const MOST_EXPLAINED = 100;

/** An event's messages, as far as they could be read. */
interface EventMessages {
  items: readonly Message[];
  hasMore: boolean;
  error: ServiceError | null;
}

export interface FoundEvent extends JudgedEvent {
  environment: Environment;
  /** How far it lies in our future, as a clock that is ahead dates it; null: it doesn't. */
  aheadMs: number | null;
  causes: FailureCauses;
  messages: EventMessages;
}

export interface FoundTransaction extends TransactionRead {
  environment: Environment;
  transactionId: string;
  /** As of an event, of the one that is dated last. */
  aheadMs: number | null;
}

export const targetOf = ({ id, transactionId }: Pick<TriggeredEvent, 'id' | 'transactionId'>): NotificationId =>
  id === null ? { kind: 'transaction', id: transactionId } : { kind: 'event', id };

export interface ReadCtx<Service = NotificationService> {
  service: Service;
  now: () => Date;
  progress?: (read: number) => void;
}

/** An unknown ID is a transaction without events. */
export async function lookUpEvent(
  ctx: ReadCtx & { environment: Environment; explainCause: ExplainCause },
  target: NotificationId,
): Promise<FoundEvent | FoundTransaction> {
  const { environment, explainCause, service } = ctx;
  const read = await readNotification(ctx, target);
  if ('events' in read) {
    const aheadMs = datedAhead(
      read.events.map(({ event }) => event.createdAt),
      ctx.now(),
    );
    return { environment, transactionId: target.id, aheadMs, ...read };
  }
  const messages = await messagesOf(read.event, service);
  const { event, judgment } = await withReasons(read, messages.items, ctx);
  const causes = failureCauses(shownOf(judgment), explainCause);
  const times = [event.createdAt, ...event.jobs.map((job) => stepTimes(job)?.last ?? null)];
  return { environment, event, judgment, causes, messages, aheadMs: datedAhead(times, ctx.now()) };
}

async function withReasons(
  judged: JudgedEvent,
  messages: readonly Message[],
  ctx: Pick<ReadCtx, 'service' | 'now'> & { explainCause: ExplainCause },
): Promise<JudgedEvent> {
  if (!messages.some(({ errorText }) => errorText !== null)) return judged;
  const unexplained = await withPauses(attemptsWithoutReason(judged.judgment, ctx.explainCause));
  const event = withMessageReasons(judged.event, unexplained, messages);
  return { event, judgment: await judgeNow(event, ctx) };
}

function shownOf(judgment: Judgment): Judgment {
  const decisive = decisiveFailure(judgment);
  const first = judgment.failures.slice(0, MOST_EXPLAINED);
  return { ...judgment, failures: decisive === undefined ? first : [decisive, ...first] };
}

/** Returns the transaction unless it has a single event. */
export async function readNotification(
  ctx: ReadCtx,
  { kind, id }: NotificationId,
): Promise<JudgedEvent | TransactionRead> {
  const event = kind === 'event' ? await retrieveWithOwnSteps(id.toLowerCase(), ctx.service, PERSON) : null;
  if (event !== null) return { event, judgment: await judgeNow(event, ctx) };
  const read = await readTransaction(ctx, id);
  const [only, ...others] = read.events;
  const isAlone = others.length + read.unreadable + read.misfits.length === 0 && read.isAll;
  return only !== undefined && isAlone ? only : read;
}

export async function readEvent(
  { serviceOf, now }: Pick<ReadCtx, 'now'> & { serviceOf: (environment: string) => NotificationService },
  { environment, target }: { environment: string; target: NotificationId },
): Promise<JudgedEvent> {
  const read = await readNotification({ service: serviceOf(environment), now }, target);
  if ('events' in read) throw eventGone();
  return read;
}

export const eventGone = (): InputError =>
  new InputError('event', 'The service no longer has this event.', null, 'It may be past retention.');

export async function hasEvent(
  service: NotificationService,
  { kind, id }: NotificationId,
  now: Date,
): Promise<boolean> {
  if (kind === 'event' && (await service.retrieveEvent(id.toLowerCase(), PERSON)) !== null) return true;
  const query = { transactionId: id, before: listEnd(now, service.clockAheadMs()), limit: 1 };
  const { items, unreadable } = await service.listEvents(query, PERSON);
  return items.length + unreadable.length > 0;
}

async function messagesOf(
  { id, transactionId, subscriber }: TriggeredEvent,
  service: NotificationService,
): Promise<EventMessages> {
  const whose = subscriber && { subscriberId: subscriber.subscriberId };
  const query = { transactionIds: [transactionId], limit: MOST_MESSAGES };
  const list = (wanted: MessageQuery) => orServiceError(service.listMessages(wanted, PERSON));
  const page = (await list({ ...query, ...whose })) ?? (await list(query));
  if (page instanceof ServiceError) return { items: [], hasMore: false, error: page };
  const { items = [], hasMore = false, unreadable = [] } = page ?? {};
  const ofEvent = items.filter((message) => id === null || message.eventId === id);
  return { items: ofEvent, hasMore: hasMore || unreadable.length > 0, error: null };
}
