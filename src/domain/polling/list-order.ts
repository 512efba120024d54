import { eventKey, type TriggeredEvent } from '../service/event.ts';
import type { Page } from '../service/query.ts';
import type { TimeRange } from '../time/time-range.ts';

/**
 * What reading the event list has shown of its order, which the contract leaves open ("Default sort order of the lists: not shown"). A list
 * that has gone both up and down has no order.
 */
export interface ListWalk {
  readonly goesDown: boolean;
  readonly goesUp: boolean;
  /** `createdAt` of the last event not shown before. */
  readonly last: number | null;
  readonly oldest: number;
  readonly newest: number;
  /** The keys of the previous page; even over thousands of pages no others are needed. */
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

/** Adds a page. An event that the previous page already had says nothing about the order: others listed late pushed it there. */
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

/** Returns whether the list has turned out to be newest first, or oldest first. */
export function isOrdered({ goesDown, goesUp }: ListWalk): boolean {
  return goesDown !== goesUp;
}

/** Returns whether the list has turned out to be unordered. One with only ties so far may still have an order. */
export function hasNoOrder({ goesDown, goesUp }: ListWalk): boolean {
  return goesDown && goesUp;
}

/**
 * Returns the part of a window that may have events not yet shown: what lies beyond the last one in the list's order or, if that isn't
 * known, all of it. Null: nothing.
 */
export function leftOf(window: TimeRange, walk: ListWalk): TimeRange | null {
  if (!isOrdered(walk)) return window;
  const from = walk.goesUp ? new Date(Math.max(walk.newest, window.from.getTime())) : window.from;
  const to = walk.goesDown ? new Date(Math.min(walk.oldest, window.to.getTime())) : window.to;
  return from <= to ? { from, to } : null;
}
