import type { Environment } from '../../domain/environment.ts';
import type { JudgedEvent } from '../../domain/failures/judge.ts';
import { type EventListRequest, type EventOwner, pinnedEnd } from '../../domain/lookups/event-list.ts';
import { listEnd } from '../../domain/polling/clock.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { Call, EventQuery, Page, ServiceTime } from '../../domain/service/query.ts';
import { judgeNow } from '../judge-now.ts';
import { beginSteps, type StepsReader, withSteps } from '../with-steps.ts';

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

export interface ListEventsParts {
  readonly environment: Environment;
  readonly serviceOf: (environment: string) => EventLister;
  readonly now: () => Date;
}

const CALL: Call = { who: 'person' };

export const EVENTS_LISTED = 30;

/** Returns the next events of a subscriber or an email address. Throws `ServiceError` if the service can't be read. */
export async function listEvents(request: EventListRequest, parts: ListEventsParts): Promise<EventList> {
  const { environment, serviceOf, now } = parts;
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
