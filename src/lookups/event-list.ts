import type { Environment } from '../domain/environment.ts';
import { InputError } from '../domain/errors.ts';
import type { JudgedEvent } from '../domain/failures/judge.ts';
import { judgeNow } from '../domain/failures/judge.ts';
import { fold } from '../domain/fold.ts';
import type { FilterKey } from '../domain/input/filters.ts';
import { nearest } from '../domain/nearest.ts';
import { listEnd } from '../domain/polling/clock.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import {
  type Call,
  type EventQuery,
  type Listed,
  PAGE_SIZE,
  type Page,
  type ServiceTime,
} from '../domain/service/query.ts';
import { workflows } from '../polling/workflows.ts';
import type { Db } from '../store/db.ts';
import { beginSteps, type StepsReader, withSteps } from './with-steps.ts';

/** The event list's own filters (contract, operation 5), as commands name them. */
export const EVENT_FILTERS = [
  'workflow',
  'channel',
  'topic',
  'severity',
  'tx',
  'context',
  'subscriber',
  'email',
  'search',
] as const satisfies readonly FilterKey[];

export type EventFilter = { readonly [Key in (typeof EVENT_FILTERS)[number]]?: readonly string[] | undefined };

/** Events, the newest first, created until `before` by our clock: they were asked for then. */
export interface EventListRequest {
  readonly environment: string;
  readonly filter: EventFilter;
  /** The service's IDs of the filter's workflows. */
  readonly workflowIds: readonly string[];
  /** Null: as far back as the service keeps events. */
  readonly since: Date | null;
  readonly until: Date | null;
  readonly before: Date;
  /** Where the list ends by the service's clock, pinned when its first page was read; null before that. */
  readonly end: Date | null;
  /** The first event to show, counted from 0. */
  readonly from: number;
}

export function listRequest({ name }: Pick<Environment, 'name'>, filter: EventFilter, now: Date): EventListRequest {
  return { environment: name, filter, workflowIds: [], since: null, until: null, before: now, end: null, from: 0 };
}

/** As the service lists them. Throws an `InputError` for one that no checked event has. */
export async function workflowIdsOf(db: Db, environment: Environment, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const known = await workflows(db).workflows(environment.name);
  return typed.flatMap((word) => {
    const found = known.filter(({ identifier, name }) => [identifier, name].map(fold).includes(fold(word)));
    const ids = found.flatMap(({ id }) => id ?? []);
    if (ids.length > 0) return ids;
    if (/^[\da-f]{24}$/i.test(word)) return [word];
    const similar = nearest(
      word,
      known.flatMap(({ identifier, name }) => [identifier, name]),
    );
    const hint = similar === null ? 'Use its identifier, name or ID.' : `Did you mean ${similar}?`;
    const example = similar ?? known[0]?.identifier ?? 'order-shipped';
    throw new InputError('workflow', `No workflow ${word} seen in ${environment.name}. ${hint}`, `workflow:${example}`);
  });
}

/** The list's bounds may be exclusive, and may have whole seconds. */
const MARGIN_MS = 1_000;

/**
 * Returns where the later pages of a list end, given its first page, which was asked for until `until`: at the newest event shown if the
 * newest come first, so that new ones push none from page to page, whatever the service's clock says. The contract promises no order; of a
 * list in another one, newer events may be on later pages.
 */
export function pinnedEnd({ items, unreadable }: Listed<TriggeredEvent>, until: Date): Date {
  const times = items.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]));
  const goesDown = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? time)) && times[0] !== times.at(-1);
  if (!goesDown) return until;
  const newest = Math.max(...[...items, ...unreadable].map(({ createdAt }) => (createdAt ?? until).getTime()));
  return new Date(Math.min(newest + MARGIN_MS, until.getTime()));
}

export interface EventList {
  readonly environment: Environment;
  /** Has the pinned end, for those that follow. */
  readonly request: EventListRequest & { readonly end: Date };
  /** `at`: its place in the list, counted from 0. */
  readonly events: readonly (JudgedEvent & { readonly at: number })[];
  readonly unreadable: number;
  readonly next: number | null;
}

export interface EventLister extends StepsReader, ServiceTime {
  listEvents(query: EventQuery & { readonly page?: number }, call: Call): Promise<Page<TriggeredEvent>>;
}

export interface ListEventsCtx {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => EventLister;
  readonly now: () => Date;
}

const CALL: Call = { who: 'person' };

/** More than one message shows. */
const PAGES_READ = 2;

/** Returns the next events that pass a filter. Throws `ServiceError` if the service can't be read. */
export async function listEvents(ctx: ListEventsCtx, request: EventListRequest): Promise<EventList> {
  const { environment, serviceOf, now } = ctx;
  const service = serviceOf(environment.name);
  const before = request.end ?? request.until ?? listEnd(request.before, service.clockAheadMs());
  const first = Math.floor(request.from / PAGE_SIZE);
  const pages: Page<TriggeredEvent>[] = [];
  do {
    const query = { ...queryOf(request), before, page: first + pages.length, limit: PAGE_SIZE };
    pages.push(await service.listEvents(query, CALL));
  } while (pages.at(-1)?.hasMore && pages.length < PAGES_READ);
  const listed = pages.flatMap(({ items }, page) =>
    items.map((event, index) => ({ event, at: (first + page) * PAGE_SIZE + index })),
  );
  const shown = listed.filter(({ at }) => at >= request.from);
  const events = await withSteps(
    shown.map(({ event }) => event),
    service,
    CALL,
    beginSteps(),
  );
  const [newest] = pages;
  const isFirst = request.from === 0 && newest !== undefined;
  return {
    environment,
    request: { ...request, end: request.end ?? (isFirst ? pinnedEnd(newest, before) : before) },
    events: events.map((event, index) => ({
      event,
      judgement: judgeNow(event, { service, now }),
      at: shown[index]?.at ?? request.from,
    })),
    unreadable: pages.reduce((sum, { unreadable }) => sum + unreadable.length, 0),
    next: pages.at(-1)?.hasMore ? (first + pages.length) * PAGE_SIZE : null,
  };
}

function queryOf({ filter, workflowIds, since }: EventListRequest): EventQuery {
  return {
    workflowIds,
    channels: filter.channel,
    topicKey: filter.topic?.[0],
    severity: filter.severity,
    transactionId: filter.tx?.[0],
    contextKeys: filter.context,
    subscriberIds: filter.subscriber,
    emails: filter.email,
    search: filter.search?.[0],
    after: since ?? undefined,
  };
}
