import { expect, test } from 'vitest';
import { aService } from '../service/client.testing.ts';
import { anEvent, at } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { EventQuery } from '../service/query.ts';
import { EVENTS_LISTED, type EventList, listEvents } from './event-list.ts';

const UNREADABLE = { key: 'x', createdAt: null };
const MINUTE = 60;
const START = { from: 0, end: null };

function serviceWith(seconds: readonly number[]) {
  const events = seconds.map((second) => ({ ...anEvent({ id: `e${second}` }), createdAt: at(second) }));
  let now = at(0);
  let aheadMs: number | null = 0;
  const isListed = ({ createdAt }: TriggeredEvent, { before }: EventQuery) =>
    createdAt !== null && before !== undefined && createdAt <= before;
  const service = aService({
    clockAheadMs: () => aheadMs,
    listEvents: async (query: EventQuery & { page?: number }) => {
      const listed = events
        .filter((event) => isListed(event, query))
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
      const from = (query.page ?? 0) * EVENTS_LISTED;
      const items = listed.slice(from, from + EVENTS_LISTED);
      return { items, unreadable: [], hasMore: from + items.length < listed.length, totalCount: null };
    },
  });
  return {
    shows: (place: { from: number; end: Date | null }) => listEvents({ service, now: () => now }, {}, place),
    setsClockAhead: (ms: number | null) => {
      aheadMs = ms;
    },
    adds: (second: number, id: string) => {
      now = at(second);
      events.push({ ...anEvent({ id }), createdAt: at(second) });
    },
  };
}

const idsOf = ({ events }: EventList) => events.map(({ event }) => event.id);
const after = ({ next, end }: EventList) => ({ from: next ?? 0, end });
const TWO_PAGES = Array.from({ length: 2 * EVENTS_LISTED }, (_, n) => -(n + 1) * MINUTE);
const OLDER = TWO_PAGES.slice(EVENTS_LISTED).map((second) => `e${second}`);

test('the next page of a list of events has none of the first, however many events are new since', async () => {
  const service = serviceWith(TWO_PAGES);
  const first = await service.shows(START);
  expect(first.events).toHaveLength(EVENTS_LISTED);
  for (let n = 0; n < EVENTS_LISTED; n++) service.adds(10 * MINUTE + n, `new-${n}`);
  const second = await service.shows(after(first));
  expect(idsOf(second)).toEqual(OLDER);
  expect(idsOf(await service.shows({ from: 0, end: second.end }))).toEqual(idsOf(first));
});

test('the next page begins where the first ended if the clock becomes known between the two', async () => {
  const service = serviceWith([30 * MINUTE, ...TWO_PAGES.slice(0, -1)]);
  service.setsClockAhead(null);
  const first = await service.shows(START);
  expect(idsOf(first)[0]).toBe(`e${30 * MINUTE}`);
  service.setsClockAhead(0);
  expect(idsOf(await service.shows(after(first)))[0]).toBe(`e${-EVENTS_LISTED * MINUTE}`);
});

test('a list goes on after what was shown, also where a page has items that cannot be read', async () => {
  const all = Array.from({ length: 120 }, (_, index) => anEvent({ id: `event ${index}` }));
  const isReadable = (_: unknown, index: number) => index !== 3 && index !== 7;
  const service = aService({
    clockAheadMs: () => 0,
    listEvents: async ({ page = 0 }) => {
      const [from, to] = [page * EVENTS_LISTED, (page + 1) * EVENTS_LISTED];
      const items = all.filter(isReadable).filter((event) => all.slice(from, to).includes(event));
      const unreadable = Array.from({ length: to - from - items.length }, () => UNREADABLE);
      return { items, unreadable, hasMore: to < all.length };
    },
  });
  // Fewer than a page has, as where long events fill a message.
  const SHOWN = 20;
  const seen: (string | null)[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const list: EventList = await listEvents({ service, now: () => at(60) }, {}, { from, end: at(60) });
    seen.push(...list.events.slice(0, SHOWN).map(({ event }) => event.id));
    from = list.events.length > SHOWN ? from + SHOWN : list.next;
  }
  expect(seen).toEqual(all.filter(isReadable).map(({ id }) => id));
});
