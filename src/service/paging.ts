import { ServiceError } from '../lib/errors.ts';
import { eventKey, type TriggeredEvent } from './event.ts';
import { type EventQuery, type Listed, PAGE_SIZE, type Page } from './query.ts';

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

/** A service that filters its pages can return an empty one with others after it; one that announces more without end returns nothing else. */
const MOST_EMPTY = 3;
/** A full page can repeat earlier events if as many were listed late meanwhile. A second one in a row means that paging doesn't work. */
const MOST_REPEATS = 2;
const REPEATS = 'its pages repeat the same events';

/** With a fixed upper bound: otherwise new events would push items from page to page (field notes, "Lists"). */
export type PinnedEventQuery = EventQuery & { readonly before: Date };

/**
 * Walks the pages of the event list in the service's order. It ends where there is no more, at three empty pages in a row, and at a page
 * that isn't full and shows nothing new: the list's last one, sent again. Throws if full pages repeat, since what follows them can't be read. Doesn't de-duplicate; the caller knows what it has seen.
 */
export async function* walkEventPages(
  listPage: (query: PinnedEventQuery & { readonly page: number }) => Promise<Page<TriggeredEvent>>,
  query: PinnedEventQuery,
  environment: string,
): AsyncGenerator<Page<TriggeredEvent>, void, undefined> {
  const { limit = PAGE_SIZE } = query;
  const seen = new Set<string>();
  let empty = 0;
  let repeats = 0;
  for (let page = 0; ; page++) {
    const read = await listPage({ ...query, limit, page });
    const keys = keysOf(read);
    const isRepeat = keys.length > 0 && keys.every((key) => seen.has(key));
    if (isRepeat && keys.length < limit) return;
    yield read;
    empty = keys.length === 0 ? empty + 1 : 0;
    if (!read.hasMore || empty >= MOST_EMPTY) return;
    if (empty > 0) continue;
    repeats = isRepeat ? repeats + 1 : 0;
    if (repeats >= MOST_REPEATS)
      throw new ServiceError(environment, 'listEvents', { kind: 'unreadable', status: 200, wrong: REPEATS });
    for (const key of keys) seen.add(key);
  }
}

/** Proxies and servers refuse URLs of more than 4 kB (some 8 kB) with 414; the rest is for the base address and the other parameters. */
const MOST_BYTES = 3_400;

/** Groups IDs, in order, into as few batches as possible, of at most `most` IDs and what a query can have under `parameter`, encoded. */
export function queryBatches(ids: readonly string[], parameter: string, most: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const id of ids) {
    const idBytes = new URLSearchParams([[parameter, id]]).toString().length + 1;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= most || bytes + idBytes > MOST_BYTES) {
      batches.push([id]);
      bytes = idBytes;
    } else {
      batch.push(id);
      bytes += idBytes;
    }
  }
  return batches;
}
