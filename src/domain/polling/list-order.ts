import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import type { TimeRange } from '../time/time-range.ts';

/**
 * What a walk over the event list has shown of its order, which the contract leaves open ("Default sort order of the lists: not
 * shown"). A list that has gone both up and down has none.
 */
export interface ListWalk {
  readonly goesDown: boolean;
  readonly goesUp: boolean;
  /** `createdAt` of the last event that was new to the walk. */
  readonly last: number | null;
  readonly oldest: number;
  readonly newest: number;
  /** The keys of the page before: a walk of thousands of pages needs no more of them. */
  readonly shown: ReadonlySet<string>;
}

export function beginWalk(): ListWalk {
  return {
    goesDown: false,
    goesUp: false,
    last: null,
    oldest: Number.POSITIVE_INFINITY,
    newest: Number.NEGATIVE_INFINITY,
    shown: new Set(),
  };
}

/** Adds a page. An event that the page before showed says nothing of the order: others that were listed late pushed it there. */
export function withPage(walk: ListWalk, { items }: Pick<Page<TriggeredEvent>, 'items'>): ListWalk {
  const shown = new Set(items.map(eventKey));
  let { goesDown, goesUp, last, oldest, newest } = walk;
  for (const event of items) {
    const time = event.createdAt?.getTime();
    if (time === undefined || walk.shown.has(eventKey(event))) continue;
    goesDown ||= last !== null && time < last;
    goesUp ||= last !== null && time > last;
    last = time;
    oldest = Math.min(oldest, time);
    newest = Math.max(newest, time);
  }
  return { goesDown, goesUp, last, oldest, newest, shown };
}

/** Whether the walk has shown that its list is newest first, or oldest first. */
export function isOrdered({ goesDown, goesUp }: ListWalk): boolean {
  return goesDown !== goesUp;
}

/** Whether the walk has shown that its list is in no order. One that has shown nothing but ties may still turn out to have one. */
export function hasNoOrder({ goesDown, goesUp }: ListWalk): boolean {
  return goesDown && goesUp;
}

/**
 * What of a window may hold events that a walk didn't come to: what lies beyond the last one in the list's order or, where that isn't
 * known, all of it. Null: nothing.
 */
export function leftOf(window: TimeRange, walk: ListWalk): TimeRange | null {
  if (!isOrdered(walk)) return window;
  const from = walk.goesUp ? new Date(Math.max(walk.newest, window.from.getTime())) : window.from;
  const to = walk.goesDown ? new Date(Math.min(walk.oldest, window.to.getTime())) : window.to;
  return from <= to ? { from, to } : null;
}
