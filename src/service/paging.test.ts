import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anEvent, NOON } from './event.testing.ts';
import type { TriggeredEvent } from './event.ts';
import { keysOf, type PinnedEventQuery, queryBatches, walkEventPages, withoutRepeats } from './paging.ts';
import type { Page } from './query.ts';

/** Simulates the service's list according to the field notes: newest first, `before` inclusive, `hasMore` whenever a page is full. */
function aMovingList(ages: readonly number[], arriveAtEachRequest: number) {
  const events = ages.map((age, index) => eventAt(START - age, `${index}`));
  const listPage = async (query: PinnedEventQuery & { readonly page: number }): Promise<Page<TriggeredEvent>> => {
    const matching = events.filter(({ createdAt }) => createdAt !== null && createdAt <= query.before);
    const newestFirst = matching.toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt));
    const limit = query.limit ?? 10;
    const items = newestFirst.slice(query.page * limit, (query.page + 1) * limit);
    for (let arrival = 0; arrival < arriveAtEachRequest; arrival++)
      events.push(eventAt(START + events.length + 1, `${events.length}`));
    return { items, unreadable: [], hasMore: items.length === limit };
  };
  return listPage;
}

type EventPage = Page<TriggeredEvent>;

const START = Date.parse('2026-11-20T12:00:00Z');
const eventAt = (time: number, id: string) => anEvent({ id, createdAt: new Date(time) });
const walked = (listPage: Parameters<typeof walkEventPages>[0], limit = 50) =>
  walkEventPages(listPage, { before: new Date(START), limit }, 'production');

async function pagesOf(walk: AsyncIterable<EventPage>): Promise<EventPage[]> {
  const pages: EventPage[] = [];
  for await (const page of walk) pages.push(page);
  return pages;
}

const full = (ids: readonly string[]) => ({
  items: ids.map((id) => eventAt(START, id)),
  unreadable: [],
  hasMore: true,
});

test('a walk yields every event once, in n/limit requests give or take one, while new ones arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 1_000 }), { maxLength: 120 }),
      fc.integer({ min: 1, max: 50 }),
      fc.nat({ max: 5 }),
      async (ages, limit, arriveAtEachRequest) => {
        const listPage = aMovingList(ages, arriveAtEachRequest);
        const pages = await pagesOf(walked(listPage, limit));
        const times = pages.flatMap(({ items }) => items.map(({ createdAt }) => Number(createdAt)));
        expect(times).toEqual(ages.map((age) => START - age).sort((a, b) => b - a));
        expect(pages.length).toBe(Math.floor(ages.length / limit) + 1);
      },
    ),
  );
});

test.each([
  ['first', [full([]), full([]), full(['a']), full(['b']), { ...full([]), hasMore: false }]],
  ['in between', [full(['a']), full([]), full([]), full(['b']), full([]), { ...full([]), hasMore: false }]],
])('a walk continues after two empty pages that announce more: %s', async (_where, pages) => {
  const read = await pagesOf(walked(async ({ page }) => pages[page] ?? full([])));
  expect(read).toHaveLength(pages.length);
  expect(read.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['a', 'b']);
});

test.each([
  ['the first', []],
  ['the last with events', ['a', 'b']],
])('a walk ends at three empty pages in a row, as of a list that always announces more: after %s', async (_, ids) => {
  const pages = ids.map((id) => full([id]));
  const read = await pagesOf(walked(async ({ page }) => pages[page] ?? full([])));
  expect(read).toHaveLength(ids.length + 3);
});

test('a walk fails when full pages keep repeating, as when the page number is ignored', async () => {
  let requests = 0;
  const listPage = async () => {
    requests += 1;
    return full(['a', 'b']);
  };
  const error = await pagesOf(walked(listPage, 2)).catch((problem: unknown) => problem);
  expect(error).toMatchObject({ problem: { kind: 'unreadable', wrong: 'its pages repeat the same events' } });
  expect(requests).toBe(3);
});

test('a walk ends at a last page that the service repeats and always announces more after', async () => {
  let requests = 0;
  const read = await pagesOf(
    walked(async () => {
      requests += 1;
      return requests === 1 ? full(['a', 'b']) : full(['c']);
    }, 2),
  );
  expect(read.map(({ items }) => items.length)).toEqual([2, 1]);
  expect(requests).toBe(3);
});

test('a walk continues after one repeated page, as when many events were listed late in between', async () => {
  const pages = [full(['a', 'b']), full(['a', 'b']), full(['b', 'c']), { ...full(['d']), hasMore: false }];
  const read = await pagesOf(walked(async ({ page }) => pages[page] ?? full([]), 2));
  expect(read.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['a', 'b', 'a', 'b', 'b', 'c', 'd']);
});

test('a batch of IDs keeps a query below 4 kB, whatever the IDs are, and loses none', () => {
  const ids = fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.constant('x'.repeat(255))));
  fc.assert(
    fc.property(ids, (all) => {
      const batches = queryBatches(all, 'subscriberIds', 50);
      expect(batches.flat()).toEqual(all);
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(50);
        expect(
          new URLSearchParams(batch.map((id): [string, string] => ['subscriberIds', id])).toString().length,
        ).toBeLessThan(3_500);
      }
    }),
  );
});

test('fifty short IDs go into one request, one more into another, fifty of 255 characters into several', () => {
  const some = (count: number, length: number) => Array.from({ length: count }, (_, n) => `${n}`.padStart(length, 'u'));
  expect(queryBatches(some(50, 8), 'subscriberIds', 50)).toHaveLength(1);
  expect(queryBatches(some(51, 8), 'subscriberIds', 50).map(({ length }) => length)).toEqual([50, 1]);
  expect(queryBatches(some(50, 255), 'subscriberIds', 50)).toHaveLength(5);
});

const page = {
  items: [anEvent({ id: 'one' }), anEvent({ id: 'two' })],
  unreadable: [
    { key: 'torn', createdAt: NOON },
    { key: 'odd', createdAt: null },
  ],
  hasMore: true,
};

test('a page is known by the keys of everything on it, readable or not', () => {
  expect(keysOf(page)).toEqual(['one', 'two', 'torn', 'odd']);
});

test('what an earlier page showed is left out, readable or not, and the rest stays', () => {
  const { items, unreadable, hasMore } = withoutRepeats(page, new Set(['one', 'odd']));
  expect(keysOf({ items, unreadable })).toEqual(['two', 'torn']);
  expect(hasMore).toBe(true);
  expect(withoutRepeats(page, new Set())).toEqual(page);
});
