import { ServiceError } from '../domain/errors.ts';
import { keysOf } from '../domain/polling/repeats.ts';
import type { TriggeredEvent } from '../domain/service/event.ts';
import { type EventQuery, PAGE_SIZE, type Page } from '../domain/service/query.ts';

/** A page can repeat earlier items if events were listed late meanwhile. This many repeats in a row mean that paging doesn't work. */
const MOST_REPEATS = 3;
/** A service that filters its pages can return an empty one with others after it; one that announces more without end returns nothing else. */
const MOST_EMPTY = 3;

/**
 * A query with a fixed upper bound: otherwise new events would push items from page to page (field notes, "Lists"). `page` is the first
 * page, 0 by default, so that a walk can be resumed.
 */
export type PinnedEventQuery = EventQuery & { readonly before: Date; readonly page?: number };

/** A page of a walk. `requests` counts the pages requested so far, including this one. */
export interface EventPage extends Page<TriggeredEvent> {
  readonly requests: number;
}

/**
 * Walks the pages of the event list in the service's order, until it has no more or returns three empty pages in a row. Doesn't
 * de-duplicate; the caller knows what it has seen. Throws `ServiceError` with `no-progress` if three pages in a row, other than empty ones,
 * show no event that is new to the walk although more are announced: a service that ignores the page number never ends.
 */
export async function* walkEventPages(
  listPage: (query: PinnedEventQuery & { readonly page: number }) => Promise<Page<TriggeredEvent>>,
  query: PinnedEventQuery,
  environment: string,
): AsyncGenerator<EventPage, void, undefined> {
  const first = query.page ?? 0;
  const pinned = { ...query, limit: query.limit ?? PAGE_SIZE };
  const seen = new Set<string>();
  let repeats = 0;
  let empty = 0;
  for (let page = first; ; page++) {
    const read = await listPage({ ...pinned, page });
    const requests = page - first + 1;
    yield { ...read, requests };
    empty = isEmpty(read) ? empty + 1 : 0;
    if (!read.hasMore || empty >= MOST_EMPTY) return;
    if (empty > 0) continue;
    repeats = addsTo(seen, read) ? 0 : repeats + 1;
    if (repeats >= MOST_REPEATS)
      throw new ServiceError(environment, 'listEvents', { kind: 'no-progress', pages: requests });
  }
}

/** Adds the keys of a page's items. Returns whether one of them was new. */
function addsTo(seen: Set<string>, page: Page<TriggeredEvent>): boolean {
  const before = seen.size;
  for (const key of keysOf(page)) seen.add(key);
  return seen.size > before;
}

/** Returns whether a page has no items, not even unreadable ones. */
function isEmpty(page: Page<unknown>): boolean {
  return page.items.length === 0 && page.unreadable.length === 0;
}
