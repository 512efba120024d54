import { workflowsIn } from '../changes/workflows.ts';
import type { JudgedEvent } from '../judging/judge.ts';
import { notInList } from '../lib/closed-list.ts';
import type { Environment } from '../lib/environment.ts';
import { isAmong } from '../lib/fold.ts';
import { EVENT_ID } from '../lib/input/ids.ts';
import { datedAhead, listEnd } from '../lib/time/service-clock.ts';
import { type EventQuery, type Misfit, PERSON } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import { stepsBudget } from '../service/steps.ts';
import type { Db } from '../store/db.ts';
import type { ReadCtx } from './event.ts';
import { judgedEvents } from './transaction.ts';

/** More don't fit into a message. */
export const EVENTS_LISTED = 30;

/** A piece of the list that fits into a message; `next` is where the following one begins. */
export interface EventList {
  events: readonly JudgedEvent[];
  from: number;
  unreadable: number;
  misfits: readonly Misfit[];
  next: number | null;
  end: Date;
  /** How far the service dates one of them into our future; null: none. */
  aheadMs: number | null;
}

export async function listEvents(
  { service, now }: ReadCtx,
  query: EventQuery,
  { from, end: pinned }: { from: number; end: Date | null },
): Promise<EventList> {
  const end = pinned ?? query.before ?? listEnd(now(), service.clockAheadMs());
  const page = Math.floor(from / EVENTS_LISTED);
  const list = (after: Date | undefined) =>
    service.listEvents({ ...query, after, before: end, page, limit: EVENTS_LISTED }, PERSON);
  const listed = await list(query.after).catch(async (error: unknown) => {
    const isRefused = error instanceof ServiceError && error.problem.kind === 'refused';
    // What is before the plan's reach is refused without a reason. Asked with a beginning, the service says how far the plan reaches.
    if (isRefused && query.after === undefined) await list(end);
    throw error;
  });
  const { items, unreadable, misfits = [], hasMore } = listed;
  return {
    // Unreadable events don't count within a page.
    events: await judgedEvents(items.slice(from % EVENTS_LISTED), { service, now }, stepsBudget()),
    from,
    unreadable: unreadable.length,
    misfits,
    next: hasMore ? (page + 1) * EVENTS_LISTED : null,
    end,
    aheadMs: datedAhead(
      items.map(({ createdAt }) => createdAt),
      now(),
    ),
  };
}

/** Returns the IDs of workflows that are typed as IDs, identifiers or names. Throws for one that was never seen. */
export async function workflowIdsOf(db: Db, environment: Environment, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const seen = (await workflowsIn(db, environment.name)).filter(({ id }) => id !== null);
  return typed.flatMap((word) => {
    const ids = seen.flatMap(({ id, identifier, name }) => (isAmong([identifier, name], [word]) ? (id ?? []) : []));
    if (ids.length > 0) return ids;
    if (EVENT_ID.test(word)) return [word];
    const names = seen.flatMap(({ identifier, name }) => [identifier, name]);
    throw notInList('workflow', word, names);
  });
}
