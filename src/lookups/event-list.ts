import { workflowsIn } from '../changes/workflows.ts';
import { judgeNow } from '../failures/judge.ts';
import { notInList } from '../lib/closed-list.ts';
import type { Environment } from '../lib/environment.ts';
import { fold } from '../lib/fold.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { NotificationService } from '../service/operations.ts';
import { type EventQuery, PAGE_SIZE, PERSON } from '../service/query.ts';
import type { Db } from '../store/db.ts';
import { beginSteps, withSteps } from './steps.ts';

/** Throws an `InputError` for one that no checked event has. */
export async function workflowIdsOf(db: Db, environment: Environment, typed: readonly string[]): Promise<string[]> {
  if (typed.length === 0) return [];
  const seen = await workflowsIn(db, environment.name);
  const known = seen.flatMap(({ id, identifier, name }) => (id === null ? [] : [{ id, names: [identifier, name] }]));
  return typed.flatMap((word) => {
    const found = known.filter(({ names }) => names.map(fold).includes(fold(word)));
    if (found.length > 0) return found.map(({ id }) => id);
    if (/^[\da-f]{24}$/i.test(word)) return [word];
    const names = known.flatMap(({ names }) => names);
    throw notInList({ key: 'workflow' }, word, names);
  });
}

export type EventList = Awaited<ReturnType<typeof listEvents>>;

/** `from` counts from 0. Throws `ServiceError`. */
export async function listEvents(
  ctx: { service: NotificationService; now: () => Date },
  query: EventQuery,
  { from, end: pinned }: { from: number; end: Date | null },
) {
  const { service, now } = ctx;
  const end = pinned ?? query.before ?? listEnd(now(), service.clockAheadMs());
  const first = Math.floor(from / PAGE_SIZE);
  const read = (page: number) => service.listEvents({ ...query, before: end, page, limit: PAGE_SIZE }, PERSON);
  const page = await read(first);
  const pages = page.hasMore ? [page, await read(first + 1)] : [page];
  const listed = pages.flatMap(({ items }) => items).slice(from % PAGE_SIZE);
  const events = await withSteps(listed, service, PERSON, beginSteps());
  return {
    events: events.map((event) => ({ event, judgement: judgeNow(event, ctx) })),
    unreadable: pages.reduce((sum, { unreadable }) => sum + unreadable.length, 0),
    next: pages.at(-1)?.hasMore ? (first + pages.length) * PAGE_SIZE : null,
    end,
  };
}
