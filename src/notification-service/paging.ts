import { ServiceError } from '../domain/errors.ts';
import { eventKey, type TriggeredEvent } from '../domain/service/event.ts';
import type { EventQuery, Page } from '../domain/service/query.ts';

/** The contract's maximum: the fewest requests. */
const PAGE_SIZE = 50;

/** A page may repeat what was shown, where events were listed late meanwhile. This many in a row are no list. */
const MOST_REPEATS = 3;

/**
 * A query whose walk does not move: new events would push items from page to page (field notes, "Lists"). `page` is where it begins, 0
 * by default: so a walk can be taken up again.
 */
export type PinnedEventQuery = EventQuery & { readonly before: Date; readonly page?: number };

/** A page of a walk; `requests` counts the pages asked for so far, this one included. */
export interface EventPage extends Page<TriggeredEvent> {
  readonly requests: number;
}

/**
 * Walks the pages of the event list, in the service's order, until it has no more or answers an empty page. Nothing is
 * de-duplicated: who reads on knows what it has seen. Throws `ServiceError` with `no-progress` when three pages in a row show no event
 * that is new to the walk although more are announced: a service that ignores the page number has no end.
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
  for (let page = first; ; page++) {
    const read = await listPage({ ...pinned, page });
    const requests = page - first + 1;
    yield { ...read, requests };
    if (!read.hasMore || isEmpty(read)) return;
    repeats = addsTo(seen, read) ? 0 : repeats + 1;
    if (repeats >= MOST_REPEATS)
      throw new ServiceError(environment, 'listEvents', { kind: 'no-progress', pages: requests });
  }
}

/** Notes the keys of a page's items; whether one of them was new. */
function addsTo(seen: Set<string>, { items, unreadable }: Page<TriggeredEvent>): boolean {
  const before = seen.size;
  for (const event of items) seen.add(eventKey(event));
  for (const { key } of unreadable) seen.add(key);
  return seen.size > before;
}

/** `hasMore` is true whenever a page is full, so the last page can be empty; unreadable items are items too. */
function isEmpty(page: Page<unknown>): boolean {
  return page.items.length === 0 && page.unreadable.length === 0;
}
