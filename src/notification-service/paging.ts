import type { TriggeredEvent } from '../domain/event.ts';
import type { EventQuery, Page } from '../domain/query.ts';

/** The contract's maximum: the fewest requests. */
const PAGE_SIZE = 50;

/**
 * A query whose walk does not move: new events would push items from page to page (field notes, "Lists"). `page` is where it begins, 0
 * unless told: so a walk can be taken up again.
 */
export type PinnedEventQuery = EventQuery & { readonly before: Date; readonly page?: number };

/** A page of a walk; `requests` counts the pages asked for so far, this one included. */
export interface EventPage extends Page<TriggeredEvent> {
  readonly requests: number;
}

/**
 * Walks the pages of the event list, newest first, until the service has no more or answers an empty page. Nothing is held but
 * the page at hand, and nothing is de-duplicated: who reads on knows what it has seen.
 */
export async function* walkEventPages(
  listPage: (query: PinnedEventQuery & { readonly page: number }) => Promise<Page<TriggeredEvent>>,
  query: PinnedEventQuery,
): AsyncGenerator<EventPage, void, undefined> {
  const first = query.page ?? 0;
  const pinned = { ...query, limit: query.limit ?? PAGE_SIZE };
  for (let page = first; ; page++) {
    const read = await listPage({ ...pinned, page });
    yield { ...read, requests: page - first + 1 };
    if (!read.hasMore || isEmpty(read)) return;
  }
}

/** `hasMore` is true whenever a page is full, so the last page can be empty; unreadable items are items too. */
function isEmpty(page: Page<unknown>): boolean {
  return page.items.length === 0 && page.unreadable.length === 0;
}
