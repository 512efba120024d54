import type { TriggeredEvent } from '../service/event.ts';
import type { Listed } from '../service/query.ts';

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
 * Returns where the later pages of a list end, given its first page, which was asked for until `asked`: at the newest event shown if the
 * newest come first, so that new ones push none from page to page, whatever the service's clock says. The contract promises no order; of a
 * list in another one, newer events may be on later pages.
 */
export function pinnedEnd({ items, unreadable }: Listed<TriggeredEvent>, asked: Date): Date {
  const times = items.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt.getTime()]));
  const goesDown = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? time)) && times[0] !== times.at(-1);
  if (!goesDown) return asked;
  const newest = Math.max(...[...items, ...unreadable].map(({ createdAt }) => (createdAt ?? asked).getTime()));
  return new Date(Math.min(newest + MARGIN_MS, asked.getTime()));
}
