import { setImmediate } from 'node:timers/promises';
import { max, min } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ExplainCause, type FailureCauses, failureCauses } from '../causes/explain-cause.ts';
import { attemptsWithoutReason, withMessageReasons } from '../causes/message-reasons.ts';
import { isReport } from '../judging/attempts.ts';
import { decisiveFailure, type JudgedEvent, type Judgment, judgeNow } from '../judging/judge.ts';
import { RECORDED_VERDICTS, type Verdict } from '../judging/verdict.ts';
import type { Environment } from '../lib/environment.ts';
import { InputError, orServiceError, ServiceError } from '../lib/errors.ts';
import type { NotificationId } from '../lib/input/ids.ts';
import { withPauses } from '../lib/pauses.ts';
import { Payload } from '../lib/text/payload.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import { hidesOutcome, isDelivery, isFinal, isMerged, type Job, type TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import {
  type EventReader,
  type NotificationService,
  retrieveOwnSteps,
  type StepsBudget,
  stepsBudget,
  withSteps,
} from '../service/operations.ts';
import { type Call, type MessageQuery, type Misfit, PAGE_SIZE, PERSON } from '../service/query.ts';
import { type Db, textList } from '../store/db.ts';

export type Outcome = Verdict | 'merged' | 'not-shown';

const FINE: readonly Outcome[] = ['retried-then-fine', 'unsubscribed', 'skipped-by-design'];

export const OUTCOME_ORDER: readonly Outcome[] = [
  ...RECORDED_VERDICTS.filter((verdict) => !FINE.includes(verdict)),
  'not-shown',
  'in-progress',
  ...FINE,
  'merged',
  'delivered',
];

export const needsEyes = (outcome: Outcome): boolean =>
  OUTCOME_ORDER.indexOf(outcome) < OUTCOME_ORDER.indexOf('not-shown');

export function outcomeOf(event: TriggeredEvent, { verdict }: { verdict: Verdict }): Outcome {
  if (hidesOutcome(event) && !needsEyes(verdict)) return 'not-shown';
  const isMergedOrNone = (job: Job) => isMerged(job) || !isDelivery(job);
  // Another event's digest step delivers merged ones.
  return verdict === 'delivered' && event.jobs.every(isMergedOrNone) && event.jobs.some(isDelivery)
    ? 'merged'
    : verdict;
}

export function durationsOf({ createdAt, jobs }: TriggeredEvent): { totalMs: number; plannedMs: number } | null {
  const deliveries = jobs.filter(isDelivery);
  const ends = deliveries.flatMap((job) => stepTimes(job)?.last ?? []);
  if (createdAt === null || ends.length === 0 || !deliveries.every(isFinal)) return null;
  const plannedMs = jobs.reduce((sum, job) => {
    const waited = waitMsOf(job);
    return sum + (waited === null ? 0 : Math.min(waited, job.wait?.ms ?? waited));
  }, 0);
  return { totalMs: Math.max(0, max(ends).getTime() - createdAt.getTime()), plannedMs };
}

export function waitMsOf(job: Job): number | null {
  const times = isFinal(job) && !isDelivery(job) && job.wait !== null ? stepTimes(job) : null;
  return times && times.last.getTime() - times.began.getTime();
}

/** A report, like a bounce, comes afterwards. */
export function stepTimes({ details, updatedAt }: Job): { began: Date; last: Date } | null {
  const attempts = details.filter((detail) => !isReport(detail));
  const stated = [...attempts.map(({ createdAt }) => createdAt), attempts.length < details.length ? null : updatedAt];
  const times = stated.filter((time) => time !== null);
  return times.length === 0 ? null : { began: min(times), last: max(times) };
}

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
  if ('events' in read) return { environment, transactionId: target.id, ...read };
  const messages = await messagesOf(read.event, service);
  const { event, judgment } = await withReasons(read, messages.items, ctx);
  const causes = failureCauses(shownOf(judgment), explainCause);
  return { environment, event, judgment, causes, messages, aheadMs: aheadMsOf(event, ctx.now()) };
}

function aheadMsOf({ createdAt }: TriggeredEvent, now: Date) {
  const ms = (createdAt ?? now).getTime() - now.getTime();
  return ms < MINUTE_MS ? null : ms;
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

/** So many failures are explained on a card. */
const MOST_EXPLAINED = 100;

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
  const event = kind === 'event' ? await retrieveOwnSteps(id.toLowerCase(), ctx.service, PERSON) : null;
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

/** Characters of either end are compared, since event IDs begin alike. */
const ALIKE = 10;
const SimilarRow = z.object({ environment: z.string(), transactionId: z.string() });
export type SimilarTransaction = z.output<typeof SimilarRow>;

/** Failures are searched, with or without `txn_`. */
export async function similarTransactions(
  db: Db,
  environments: readonly string[],
  id: string,
): Promise<SimilarTransaction[]> {
  const core = id.toLowerCase().replace(/^txn_/, '');
  if (core.length < ALIKE) return [];
  const [beginning, end] = [core.slice(0, ALIKE), core.slice(-ALIKE)];
  return db.rows(
    SimilarRow,
    sql`
      SELECT DISTINCT environment, transaction_id
      FROM (
        SELECT environment, transaction_id, event_id
        FROM failures
        ORDER BY seq DESC
        LIMIT ${MOST_SEARCHED}
      ) newest
      WHERE environment IN ${textList(environments)}
        AND (
          lower(left(regexp_replace(transaction_id, '^txn_', '', 'i'), ${ALIKE})) = ${beginning}
          OR ${end} IN (lower(right(transaction_id, ${ALIKE})), lower(right(event_id, ${ALIKE})))
        )
      LIMIT 3`,
  );
}

/** No index finds the end of an ID. */
const MOST_SEARCHED = 20_000;

const MOST_MESSAGES = 100;

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

const MOST_PAGES = 200;
const LONGEST_READING_MS = 60_000;

export interface TransactionRead {
  events: readonly JudgedEvent[];
  unreadable: number;
  misfits: readonly Misfit[];
  isAll: boolean;
}

/** Beyond the first page, events that need no attention lose their steps and payload. */
export async function readTransaction(ctx: ReadCtx<EventReader>, transactionId: string): Promise<TransactionRead> {
  const events: JudgedEvent[] = [];
  const misfits: Misfit[] = [];
  let unreadable = 0;
  let isAll = true;
  for await (const page of transactionPages(ctx, transactionId)) {
    events.push(...(events.length === 0 ? page.events : page.events.map(withoutSteps)));
    unreadable += page.unreadable;
    misfits.push(...page.misfits);
    isAll = page.isLast;
    ctx.progress?.(events.length);
  }
  return { events, unreadable, misfits, isAll };
}

interface TransactionPage {
  events: readonly JudgedEvent[];
  unreadable: number;
  misfits: readonly Misfit[];
  isLast: boolean;
}

/** Ends early at ten thousand events, or after a minute. */
export async function* transactionPages(
  ctx: ReadCtx<EventReader>,
  transactionId: string,
): AsyncGenerator<TransactionPage> {
  const { service, now } = ctx;
  const startedAt = now().getTime();
  const steps = stepsBudget();
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  let pages = 0;
  for await (const { items, unreadable, misfits = [], hasMore } of service.eventPages(query, PERSON)) {
    const events = await judgedEvents(items, ctx, steps);
    yield { events, unreadable: unreadable.length, misfits, isLast: !hasMore };
    pages += 1;
    if (pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS) return;
  }
}

function withoutSteps({ event, judgment }: JudgedEvent) {
  if (needsEyes(outcomeOf(event, judgment)) || event.jobs.some(isMerged)) return { event, judgment };
  return { event: { ...event, jobs: [], payload: new Payload({}) }, judgment: { ...judgment, steps: [] } };
}

export async function judgedEvents(
  listed: readonly TriggeredEvent[],
  { service, now, call = PERSON }: ReadCtx<EventReader> & { call?: Call },
  budget: StepsBudget,
): Promise<JudgedEvent[]> {
  const judged: JudgedEvent[] = [];
  for (const event of await withSteps(listed, service, call, budget)) {
    await setImmediate();
    judged.push({ event, judgment: await judgeNow(event, { service, now }) });
  }
  return judged;
}
