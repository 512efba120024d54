import { workflowsIn } from '../changes/workflows.ts';
import { type JudgedEvent, judgeNow } from '../failures/judge.ts';
import { nearest } from '../lib/closed-list.ts';
import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { fold } from '../lib/fold.ts';
import type { FilterKey } from '../lib/input/filters.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { type Call, type EventQuery, PAGE_SIZE, type Page, type ServiceTime } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import { beginSteps, type StepsReader, withSteps } from './steps.ts';

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
  const seen = await workflowsIn(db, environment.name);
  const known = seen.flatMap(({ id, identifier, name }) => (id === null ? [] : [{ id, names: [identifier, name] }]));
  return typed.flatMap((word) => {
    const found = known.filter(({ names }) => names.map(fold).includes(fold(word)));
    if (found.length > 0) return found.map(({ id }) => id);
    if (/^[\da-f]{24}$/i.test(word)) return [word];
    const names = known.flatMap(({ names }) => names);
    const similar = nearest(word, names);
    const hint = similar === null ? 'Use its identifier, name or ID.' : `Did you mean ${similar}?`;
    const example = `workflow:${similar ?? names[0] ?? 'order-shipped'}`;
    throw new InputError('workflow', `No workflow ${word} seen in ${environment.name}. ${hint}`, example);
  });
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

/** Returns the next events that pass a filter, more than one message shows. Throws `ServiceError` if the service can't be read. */
export async function listEvents(ctx: ListEventsCtx, request: EventListRequest): Promise<EventList> {
  const { environment, serviceOf, now } = ctx;
  const service = serviceOf(environment.name);
  const end = request.end ?? request.until ?? listEnd(request.before, service.clockAheadMs());
  const pageOf = (page: number) =>
    service.listEvents({ ...queryOf(request), before: end, page, limit: PAGE_SIZE }, CALL);
  const number = Math.floor(request.from / PAGE_SIZE);
  const page = await pageOf(number);
  const pages = page.hasMore ? [page, await pageOf(number + 1)] : [page];
  const listed = pages.flatMap(({ items }, index) =>
    items.map((event, place) => ({ event, at: (number + index) * PAGE_SIZE + place })),
  );
  const asked = listed.filter(({ at }) => at >= request.from);
  const steps = beginSteps();
  const events = await Promise.all(
    asked.map(async ({ event: listedEvent, at }) => {
      const [event = listedEvent] = await withSteps([listedEvent], service, CALL, steps);
      return { event, judgement: judgeNow(event, { service, now }), at };
    }),
  );
  return {
    environment,
    request: { ...request, end },
    events,
    unreadable: pages.reduce((sum, { unreadable }) => sum + unreadable.length, 0),
    next: pages.at(-1)?.hasMore ? (number + pages.length) * PAGE_SIZE : null,
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
