import type { Environment } from '../domain/environment.ts';
import type { JudgedEvent } from '../domain/failures/judge.ts';
import { judgeNow } from '../domain/failures/judge.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import type { Call, EventQuery, Listed, Page, ServiceTime } from '../domain/service/query.ts';
import { listEnd } from '../domain/time/service-clock.ts';
import { beginSteps, type StepsReader, withSteps } from './with-steps.ts';

export interface EventOwner {
  readonly kind: 'subscriber' | 'email';
  readonly id: string;
}

/** Somebody's events, the newest first, created until `before` by our clock: they were asked for then. */
export interface EventListRequest {
  readonly environment: string;
  readonly owner: EventOwner;
  readonly before: Date;
  /** Where the list ends by the service's clock, pinned when its first page was read; null before that. */
  readonly end: Date | null;
  /** The first event to show, counted from 0. */
  readonly from: number;
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
  readonly events: readonly JudgedEvent[];
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

export const EVENTS_LISTED = 30;

/** Returns the next events of a subscriber or an email address. Throws `ServiceError` if the service can't be read. */
export async function listEvents(ctx: ListEventsCtx, request: EventListRequest): Promise<EventList> {
  const { environment, serviceOf, now } = ctx;
  const service = serviceOf(environment.name);
  const before = request.end ?? listEnd(request.before, service.clockAheadMs());
  const number = Math.floor(request.from / EVENTS_LISTED);
  const query = { ...ownedBy(request.owner), before, page: number, limit: EVENTS_LISTED };
  const page = await service.listEvents(query, CALL);
  const shown = page.items.slice(request.from - number * EVENTS_LISTED);
  const events = await withSteps(shown, service, CALL, beginSteps());
  return {
    environment,
    request: { ...request, end: request.end ?? (request.from === 0 ? pinnedEnd(page, before) : before) },
    events: events.map((event) => ({ event, judgement: judgeNow(event, { service, now }) })),
    unreadable: page.unreadable.length,
    next: page.hasMore ? (number + 1) * EVENTS_LISTED : null,
  };
}

function ownedBy({ kind, id }: EventOwner): Pick<EventQuery, 'subscriberIds' | 'emails'> {
  return kind === 'email' ? { emails: [id] } : { subscriberIds: [id] };
}
