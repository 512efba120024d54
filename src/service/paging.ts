import { ServiceError } from '../lib/errors.ts';
import { eventKey, type TriggeredEvent } from './event.ts';
import { type EventQuery, PAGE_SIZE, type Page } from './query.ts';

/** Otherwise new events push items from page to page (field notes, "Lists"). */
export type PinnedEventQuery = EventQuery & { readonly before: Date };

/** Ends where there is no more, or at a page sent again. Throws if that is full: what follows can't be read. */
export async function* walkEventPages(
  listPage: (query: PinnedEventQuery & { readonly page: number }) => Promise<Page<TriggeredEvent>>,
  query: PinnedEventQuery,
  environment: string,
): AsyncGenerator<Page<TriggeredEvent>, void, undefined> {
  const { limit = PAGE_SIZE } = query;
  const seen = new Set<string>();
  for (let page = 0; ; page++) {
    const { items, unreadable, hasMore } = await listPage({ ...query, limit, page });
    const isNew = (key: string) => !seen.has(key) && seen.add(key).has(key);
    const fresh = {
      items: items.filter((event) => isNew(eventKey(event))),
      unreadable: unreadable.filter(({ key }) => isNew(key)),
    };
    const isRepeat = page > 0 && fresh.items.length + fresh.unreadable.length === 0;
    if (hasMore && isRepeat && items.length + unreadable.length < limit) return;
    if (hasMore && isRepeat)
      throw new ServiceError(environment, 'listEvents', { kind: 'unreadable', status: 200, wrong: REPEATS });
    yield { ...fresh, hasMore };
    if (!hasMore) return;
  }
}

const REPEATS = 'its pages repeat the same events';
