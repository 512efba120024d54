import { eventKey, type TriggeredEvent } from './event.ts';
import type { Listed } from './query.ts';

/** Returns the keys of what a page of events shows, readable or not. */
export function keysOf({ items, unreadable }: Listed<TriggeredEvent>): string[] {
  return [...items.map(eventKey), ...unreadable.map(({ key }) => key)];
}

/** Returns a page without what earlier pages of the walk showed: events listed meanwhile push others from page to page. */
export function withoutRepeats<Shown extends Listed<TriggeredEvent>>(page: Shown, earlier: ReadonlySet<string>): Shown {
  return {
    ...page,
    items: page.items.filter((event) => !earlier.has(eventKey(event))),
    unreadable: page.unreadable.filter(({ key }) => !earlier.has(key)),
  };
}
