import { z } from 'zod';
import { type ExplainCause, type FailureCauses, failureCauses } from '../causes/explain-cause.ts';
import { workflowsIn } from '../changes/workflows.ts';
import { type JudgedEvent, judgeNow } from '../failures/judge.ts';
import { notInList } from '../lib/closed-list.ts';
import type { Environment } from '../lib/environment.ts';
import { InputError, orServiceError, ServiceError } from '../lib/errors.ts';
import { fold } from '../lib/fold.ts';
import type { NotificationId } from '../lib/input/notification-id.ts';
import { Payload } from '../lib/text/payload.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Message, MessageQuery } from '../service/lists.ts';
import type { EventReader, NotificationService } from '../service/operations.ts';
import { type Call, type EventQuery, type Misfit, PAGE_SIZE, PERSON } from '../service/query.ts';
import { beginSteps, retrieveOwnSteps, type StepsBudget, withSteps } from '../service/steps.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { needsEyes, outcomeOf } from './outcome.ts';

export interface FoundEvent extends JudgedEvent {
  environment: Environment;
  causes: FailureCauses;
  messages: FoundMessages;
}

interface FoundMessages {
  items: readonly Message[];
  hasMore: boolean;
  error: ServiceError | null;
}

export interface FoundTransaction extends TransactionRead {
  environment: Environment;
  transactionId: string;
}

export function targetOf(event: Pick<TriggeredEvent, 'id' | 'transactionId'>): NotificationId {
  return event.id === null ? { kind: 'transaction', id: event.transactionId } : { kind: 'event', id: event.id };
}

interface LookUpCtx {
  environment: Environment;
  service: NotificationService;
  explainCause: ExplainCause;
  now: () => Date;
  progress?: (read: number) => void;
}

const MOST_MESSAGES = 100;

export async function lookUpEvent(
  ctx: LookUpCtx,
  target: NotificationId,
): Promise<FoundEvent | FoundTransaction | null> {
  const { environment, explainCause, service } = ctx;
  const read = await readNotification(ctx, target);
  if (read === null || 'events' in read) return read && { environment, transactionId: target.id, ...read };
  const causes = failureCauses(read.judgement, explainCause);
  return { environment, ...read, causes, messages: await messagesOf(read.event, service) };
}

/** A transaction that doesn't have exactly one event is returned as it was read. */
async function readNotification(
  ctx: Pick<LookUpCtx, 'service' | 'now' | 'progress'>,
  target: NotificationId,
): Promise<JudgedEvent | TransactionRead | null> {
  if (target.kind === 'event') {
    for (const id of new Set([target.id, target.id.toLowerCase()])) {
      const event = await retrieveOwnSteps(id, ctx.service, PERSON);
      if (event !== null) return { event, judgement: judgeNow(event, ctx) };
    }
  }
  const read = await readTransaction(ctx, target.id);
  const [only, ...others] = read.events;
  const hidden = read.unreadable + read.misfits.length;
  if (only === undefined && hidden === 0) return null;
  return only !== undefined && others.length + hidden === 0 && read.isAll ? only : read;
}

export async function readEvent(
  { serviceOf, now }: Pick<LookUpCtx, 'now'> & { serviceOf: (environment: string) => NotificationService },
  { environment, target }: { environment: string; target: NotificationId },
): Promise<JudgedEvent> {
  const read = await readNotification({ service: serviceOf(environment), now }, target);
  if (read === null || 'events' in read) throw eventGone();
  return read;
}

export function eventGone(): InputError {
  return new InputError('event', 'The service no longer has this event.', null, 'It may be past retention.');
}

export async function hasEvent(service: NotificationService, { kind, id }: NotificationId, now: Date) {
  if (kind === 'event' && (await service.retrieveEvent(id.toLowerCase(), PERSON)) !== null) return true;
  const query = { transactionId: id, before: listEnd(now, service.clockAheadMs()), limit: 1 };
  const { items, unreadable } = await service.listEvents(query, PERSON);
  return items.length + unreadable.length > 0;
}

/** How much of either end is compared; of event IDs only the end, since they begin alike. */
const ALIKE = 10;
const SimilarRow = z.object({ environment: z.string(), transactionId: z.string() });

/** Finds failed transactions by the beginning or end of their ID, or the end of the event's, with or without `txn_`. */
export async function similarTransactions(db: Db, environments: readonly string[], id: string) {
  const core = id.toLowerCase().replace(/^txn_/, '');
  if (core.length < ALIKE) return [];
  const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');
  const begin = `${literal(core.slice(0, ALIKE))}%`;
  const end = `%${literal(core.slice(-ALIKE))}`;
  return db.rows(SimilarRow, SIMILAR, [jsonOf(environments), jsonOf([begin, `txn\\_${begin}`, end]), end]);
}

/** No index helps to find the end of an ID. */
const MOST_SEARCHED = 20_000;

const SIMILAR = `
  SELECT DISTINCT environment, transaction_id FROM (SELECT * FROM failures ORDER BY seq DESC LIMIT ${MOST_SEARCHED}) newest
  WHERE $1::jsonb ? environment AND (event_id ILIKE $3
    OR transaction_id ILIKE ANY (SELECT jsonb_array_elements_text($2::jsonb))) LIMIT 3`;

async function messagesOf(event: TriggeredEvent, service: NotificationService): Promise<FoundMessages> {
  const { id, transactionId, subscriber } = event;
  const whose = subscriber && { subscriberId: subscriber.subscriberId };
  const query = { transactionIds: [transactionId], limit: MOST_MESSAGES };
  const list = (wanted: MessageQuery) => orServiceError(service.listMessages(wanted, PERSON));
  const page = (await list({ ...query, ...whose })) ?? (await list(query));
  if (page instanceof ServiceError) return { items: [], hasMore: false, error: page };
  const items = (page?.items ?? []).filter((message) => id === null || message.eventId === id);
  return { items, hasMore: page !== null && (page.hasMore || page.unreadable.length > 0), error: null };
}

const MOST_PAGES = 200;
const LONGEST_READING_MS = 60_000;

export type TransactionRead = Awaited<ReturnType<typeof readTransaction>>;

/** Beyond the first page, events that need no attention lose their steps and payload. */
export async function readTransaction(
  ctx: { service: EventReader; now: () => Date; progress?: (read: number) => void },
  transactionId: string,
) {
  const { service, now } = ctx;
  const startedAt = now().getTime();
  const steps = beginSteps();
  const query = { transactionId, before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  const events: JudgedEvent[] = [];
  const misfits: Misfit[] = [];
  let pages = 0;
  let unreadable = 0;
  let isAll = true;
  for await (const page of service.eventPages(query, PERSON)) {
    const judged = await judgedEvents(page.items, ctx, steps);
    events.push(...(pages === 0 ? judged : judged.map(withoutSteps)));
    unreadable += page.unreadable.length;
    misfits.push(...(page.misfits ?? []));
    pages += 1;
    isAll = !page.hasMore;
    ctx.progress?.(events.length);
    if (pages >= MOST_PAGES || now().getTime() - startedAt >= LONGEST_READING_MS) break;
  }
  return { events, unreadable, misfits, isAll };
}

function withoutSteps({ event, judgement }: JudgedEvent): JudgedEvent {
  if (needsEyes(outcomeOf(event, judgement))) return { event, judgement };
  return { event: { ...event, jobs: [], payload: new Payload({}) }, judgement: { ...judgement, steps: [] } };
}

export async function judgedEvents(
  listed: readonly TriggeredEvent[],
  { service, now, call = PERSON }: { service: EventReader; now: () => Date; call?: Call },
  budget: StepsBudget,
): Promise<JudgedEvent[]> {
  const whole = await withSteps(listed, service, call, budget);
  return whole.map((event) => ({ event, judgement: judgeNow(event, { service, now }) }));
}

export async function workflowIdsOf(db: Db, environment: Environment, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const seen = await workflowsIn(db, environment.name);
  const known = seen.flatMap(({ id, identifier, name }) => (id === null ? [] : [{ id, names: [identifier, name] }]));
  return typed.flatMap((word) => {
    const ids = known.flatMap(({ id, names }) => (names.map(fold).includes(fold(word)) ? [id] : []));
    if (ids.length > 0) return ids;
    if (/^[\da-f]{24}$/i.test(word)) return [word];
    throw notInList(
      'workflow',
      word,
      known.flatMap(({ names }) => names),
    );
  });
}

export type EventList = Awaited<ReturnType<typeof listEvents>>;

/** As many as fit into a message: the rest of a bigger page would be read again. */
export const EVENTS_LISTED = 30;

export async function listEvents(
  ctx: { service: NotificationService; now: () => Date },
  query: EventQuery,
  { from, end: pinned }: { from: number; end: Date | null },
) {
  const { service, now } = ctx;
  const end = pinned ?? query.before ?? listEnd(now(), service.clockAheadMs());
  const page = Math.floor(from / EVENTS_LISTED);
  const list = (after: Date | undefined) =>
    service.listEvents({ ...query, after, before: end, page, limit: EVENTS_LISTED }, PERSON);
  const listed = await list(query.after).catch(async (error: unknown) => {
    const isRefused = error instanceof ServiceError && error.problem.kind === 'refused';
    // Only a refusal of a beginning that is too early says how far the plan reaches.
    if (isRefused && query.after === undefined) await list(end);
    throw error;
  });
  const { items, unreadable, misfits = [], hasMore } = listed;
  return {
    // Unreadable events don't count within a page.
    events: await judgedEvents(items.slice(from % EVENTS_LISTED), ctx, beginSteps()),
    from,
    unreadable: unreadable.length,
    misfits,
    next: hasMore ? (page + 1) * EVENTS_LISTED : null,
    end,
  };
}
