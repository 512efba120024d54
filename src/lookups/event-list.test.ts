import { describe, expect, test } from 'vitest';
import { anEnvironment } from '../lib/environment.testing.ts';
import { anEvent, at } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { type EventQuery, PAGE_SIZE } from '../service/query.ts';
import { type EventList, type EventListRequest, listEvents, listRequest, pinnedEnd } from './event-list.ts';

const asked = at(600);
const listed = (seconds: readonly (number | null)[], unreadable: readonly (number | null)[] = []) => ({
  items: seconds.map((one, n) => anEvent({ id: `event-${n}`, createdAt: one === null ? null : at(one) })),
  unreadable: unreadable.map((one, n) => ({ key: `odd-${n}`, createdAt: one === null ? null : at(one) })),
});

test('a list with the newest events first ends a second after the newest one, whatever the service says it is', () => {
  expect(pinnedEnd(listed([60, 30, 30]), asked)).toEqual(at(61));
  expect(pinnedEnd(listed([60, 30], [90]), asked)).toEqual(at(91));
});

test.each<[string, (number | null)[]]>([
  ['the oldest first', [30, 60]],
  ['no order', [60, 30, 45]],
  ['one event', [60]],
  ['no events', []],
])('a list with %s ends when it was asked for', (_, seconds) => {
  expect(pinnedEnd(listed(seconds), asked)).toEqual(asked);
});

test('a list never ends after it was asked for', () => {
  expect(pinnedEnd(listed([700, 30]), asked)).toEqual(asked);
  expect(pinnedEnd(listed([60, null, 30]), asked)).toEqual(asked);
  expect(pinnedEnd(listed([60, 30], [null]), asked)).toEqual(asked);
});

const MINUTE = 60;
const ASKED = listRequest(anEnvironment(), { subscriber: ['user-1'] }, at(0));
/** Two pages of the service's. */
const EVENTS_LISTED = 100;

function aService(seconds: readonly number[], order: 'newest first' | 'oldest first' = 'newest first') {
  const events = seconds.map((second) => ({ ...anEvent({ id: `e${second}` }), createdAt: at(second) }));
  let now = at(0);
  let aheadMs: number | null = 0;
  let answered = () => {};
  const isListed = ({ createdAt }: TriggeredEvent, { before }: EventQuery) =>
    createdAt !== null && before !== undefined && createdAt <= before;
  const service = {
    clockAheadMs: () => aheadMs,
    retrieveEvent: async () => null,
    listEvents: async (query: EventQuery & { readonly page?: number }) => {
      const sign = order === 'newest first' ? -1 : 1;
      const listed = events
        .filter((event) => isListed(event, query))
        .toSorted((a, b) => sign * (a.createdAt.getTime() - b.createdAt.getTime()));
      const from = (query.page ?? 0) * PAGE_SIZE;
      const items = listed.slice(from, from + PAGE_SIZE);
      answered();
      return { items, unreadable: [], hasMore: from + items.length < listed.length };
    },
  };
  const production = anEnvironment();
  const parts = { environment: production, serviceOf: () => service };
  return {
    shows: (request: EventListRequest) => listEvents({ ...parts, now: () => now }, request),
    afterEachAnswer: (act: () => void) => {
      answered = act;
    },
    says: (clock: number | null) => {
      aheadMs = clock;
    },
    adds: (second: number, id: string) => {
      now = at(second);
      events.push({ ...anEvent({ id }), createdAt: at(second) });
    },
  };
}

const idsOf = ({ events }: EventList) => events.map(({ event }) => event.id);
const next = ({ request }: EventList) => ({ ...request, from: request.from + EVENTS_LISTED });
const TWO_PAGES = Array.from({ length: 2 * EVENTS_LISTED }, (_, n) => -(n + 1) * MINUTE);
const OLDER = TWO_PAGES.slice(EVENTS_LISTED).map((second) => `e${second}`);

test('an event that arrives while a list is read repeats none of the others', async () => {
  const service = aService(TWO_PAGES);
  service.says(null);
  service.afterEachAnswer(() => service.adds(1, 'new'));
  const { events } = await service.shows(ASKED);
  expect(events.map(({ event }) => event.id)).toEqual(TWO_PAGES.map((second) => `e${second}`).slice(0, EVENTS_LISTED));
  expect(events.map(({ at }) => at)).toEqual(Array.from({ length: EVENTS_LISTED }, (_, place) => place));
});

describe('the next page of a list of events', () => {
  test.each([
    ['says its time', 0],
    ['does not say its time', null],
  ])('has none of the first, however many events are new since, at a service that %s', async (_which, aheadMs) => {
    const service = aService(TWO_PAGES);
    service.says(aheadMs);
    const first = await service.shows(ASKED);
    for (let n = 0; n < EVENTS_LISTED; n++) service.adds(10 * MINUTE + n, `new-${n}`);
    const second = await service.shows(next(first));
    expect(idsOf(second)).toEqual(OLDER);
    expect(idsOf(await service.shows({ ...second.request, from: 0 }))).toEqual(idsOf(first));
  });

  test('begins where the first ended if the clock becomes known between the two', async () => {
    const service = aService([30 * MINUTE, ...TWO_PAGES.slice(0, -1)]);
    service.says(null);
    const first = await service.shows(ASKED);
    expect(idsOf(first)[0]).toBe(`e${30 * MINUTE}`);
    service.says(0);
    expect(idsOf(await service.shows(next(first)))[0]).toBe(`e${-EVENTS_LISTED * MINUTE}`);
  });

  test('has the rest of a list that shows the oldest first, too', async () => {
    const service = aService(TWO_PAGES, 'oldest first');
    const first = await service.shows(ASKED);
    expect(idsOf(await service.shows(next(first)))).toEqual(
      TWO_PAGES.slice(0, EVENTS_LISTED)
        .reverse()
        .map((second) => `e${second}`),
    );
  });

  test('has the rest of a list whose first page is of one moment, so that its order is unknown', async () => {
    const service = aService([...Array.from({ length: EVENTS_LISTED }, () => -MINUTE), -30, -20], 'oldest first');
    const first = await service.shows(ASKED);
    expect(idsOf(await service.shows(next(first)))).toEqual(['e-30', 'e-20']);
  });
});
