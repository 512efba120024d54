import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anEvent } from './event.testing.ts';
import type { TriggeredEvent } from './event.ts';
import { walkEventPages } from './operations.ts';
import type { Page } from './query.ts';

type EventPage = Page<TriggeredEvent>;

const START = Date.parse('2026-11-20T12:00:00Z');
const eventAt = (time: number, id: string) => anEvent({ id, createdAt: new Date(time) });

/** Simulates the service's list according to the field notes: newest first, `before` inclusive, `hasMore` whenever a page is full. */
function aMovingList(ages: readonly number[], limit: number, arriveAtEachRequest: number) {
  const events = ages.map((age, index) => eventAt(START - age, `${index}`));
  const listPage = async (page: number): Promise<EventPage> => {
    const matching = events.filter(({ createdAt }) => Number(createdAt) <= START);
    const newestFirst = matching.toSorted((a, b) => Number(b.createdAt) - Number(a.createdAt));
    const items = newestFirst.slice(page * limit, (page + 1) * limit);
    for (let arrival = 0; arrival < arriveAtEachRequest; arrival++)
      events.push(eventAt(START + events.length + 1, `${events.length}`));
    return { items, unreadable: [], hasMore: items.length === limit };
  };
  return listPage;
}

const walked = (listPage: Parameters<typeof walkEventPages>[0], limit = 50) =>
  walkEventPages(listPage, limit, 'production');

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
        const listPage = aMovingList(ages, limit, arriveAtEachRequest);
        const pages = await pagesOf(walked(listPage, limit));
        const times = pages.flatMap(({ items }) => items.map(({ createdAt }) => Number(createdAt)));
        expect(times).toEqual(ages.map((age) => START - age).sort((a, b) => b - a));
        expect(pages.length).toBe(Math.floor(ages.length / limit) + 1);
      },
    ),
  );
});

test('a walk fails when full pages keep repeating, as when the page number is ignored', async () => {
  let requests = 0;
  const listPage = async () => {
    requests += 1;
    return full(['a', 'b']);
  };
  const error = await pagesOf(walked(listPage, 2)).catch((problem: unknown) => problem);
  expect(error).toMatchObject({ problem: { kind: 'unreadable', wrong: 'its pages repeat the same events' } });
  expect(requests).toBe(2);
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

test("a walk leaves out what earlier pages showed, as when events were listed late, and what can't be read", async () => {
  const torn = { key: 'torn', createdAt: null };
  const last = { items: [eventAt(START, 'c')], unreadable: [torn], hasMore: false };
  const pages = [{ ...full(['a', 'b']), unreadable: [torn] }, full(['b', 'c']), last];
  const read = await pagesOf(walked(async (page) => pages[page] ?? full([]), 2));
  expect(read.map(({ items }) => items.map(({ id }) => id))).toEqual([['a', 'b'], ['c'], []]);
  expect(read.map(({ unreadable }) => unreadable)).toEqual([[torn], [], []]);
});
