import { addSeconds } from 'date-fns';
import { describe, expect, test } from 'vitest';
import { aFailedEvent, aJob, anEvent, at } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { EventQuery } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import { outcomeOf } from './outcome.ts';
import { readTransaction, type TransactionRead } from './transaction.ts';

/** Returns how many of the events have each outcome. */
function outcomesOf({ events }: TransactionRead): Record<string, number> {
  const outcomes = events.map(({ event, judgment }) => outcomeOf(event, judgment));
  return Object.fromEntries([...new Set(outcomes)].map((key) => [key, outcomes.filter((each) => each === key).length]));
}

const MERGED = { jobs: [aJob({ status: 'merged' })] };
const EVENTS = Array.from({ length: 12_000 }, (_, n) =>
  n % 10 === 9 ? aFailedEvent({ id: `failed-${n}` }) : anEvent({ id: `fine-${n}`, ...(n % 10 === 8 && MERGED) }),
);

interface Behavior {
  failing?: ReadonlyMap<number, ServiceError>;
  byId?: readonly TriggeredEvent[];
  clockAheadMs?: number | null;
}

const FAILED_PAGE = new ServiceError('production', 'listEvents', { kind: 'service-error', status: 500, errorId: null });

function reading(events: readonly TriggeredEvent[], { failing, byId, clockAheadMs = 0 }: Behavior = {}) {
  let requests = 0;
  const retrieved: string[] = [];
  const queries: EventQuery[] = [];
  const service = {
    clockAheadMs: () => clockAheadMs,
    retrieveEvent: async (id: string) => {
      retrieved.push(id);
      return byId?.find((event) => event.id === id) ?? null;
    },
    async *eventPages(query: EventQuery & { page?: number }) {
      queries.push(query);
      const { page: first = 0, limit = 50 } = query;
      for (let page = first; ; page++) {
        requests += 1;
        const failure = failing?.get(page);
        if (failure !== undefined) throw failure;
        const listed = events.slice(page * limit, (page + 1) * limit);
        const hasMore = (page + 1) * limit < events.length;
        yield { items: listed, unreadable: [], hasMore };
        if (!hasMore) return;
      }
    },
  };
  return { ctx: { service, now: () => at(60) }, requests: () => requests, retrieved, queries };
}

/** A hundred events of a minute ago, to which each request adds forty: the first's are within the clocks' tolerance of 5 s. */
function fanningOut() {
  let now = at(60);
  const events = Array.from({ length: 100 }, (_, n) => anEvent({ id: `first-${n}`, createdAt: at(0) }));
  const service = {
    clockAheadMs: () => 0,
    retrieveEvent: async () => null,
    async *eventPages({ before = now }: EventQuery) {
      for (let page = 0; ; page++) {
        now = addSeconds(now, 3);
        events.unshift(...Array.from({ length: 40 }, (_, n) => anEvent({ id: `${page}-${n}`, createdAt: now })));
        const listed = events.filter(({ createdAt }) => createdAt !== null && createdAt <= before);
        const items = listed.slice(page * 50, (page + 1) * 50);
        const hasMore = (page + 1) * 50 < listed.length;
        yield { items, unreadable: [], hasMore };
        if (!hasMore) return;
      }
    },
  };
  return { service, now: () => now };
}

describe('reading a transaction with thousands of events', () => {
  test('reads ten thousand, and says that there are more', async () => {
    const { ctx, requests } = reading(EVENTS);
    const read = await readTransaction(ctx, 'txn_0001');
    expect(outcomesOf(read)).toEqual({ failed: 1_000, merged: 1_000, delivered: 8_000 });
    expect(read.isAll).toBe(false);
    expect(requests()).toBe(200);
  });

  test('counts each event once while others are added, and ends with those of a little after the start', async () => {
    const { events, isAll } = await readTransaction(fanningOut(), 'txn_0001');
    expect(new Set(events.map(({ event }) => event.id)).size).toBe(140);
    expect({ events: events.length, isAll }).toEqual({ events: 140, isAll: true });
  });

  test.each([
    ["the service's clock", 90_000, at(60 + 90 + 5)],
    ["Notif's clock if the service's is behind", -90_000, at(60 + 5)],
    ["an hour after Notif's clock if the service doesn't say what time it is", null, at(3_660 + 5)],
  ])('asks for the events until a little after %s', async (_, clockAheadMs, before) => {
    const { ctx, queries } = reading([anEvent()], { clockAheadMs });
    await readTransaction(ctx, 'txn_0001');
    expect(queries).toMatchObject([{ before }]);
  });

  test('retrieves up to twenty events that are listed without their steps, and names no outcome of the others', async () => {
    const lean = Array.from({ length: 30 }, (_, n) => anEvent({ id: `e${n}`, jobs: [], listsSteps: false }));
    const byId = lean.map(({ id }) => aFailedEvent({ id }));
    const { ctx, retrieved } = reading(lean, { byId });
    expect(outcomesOf(await readTransaction(ctx, 'txn_0001'))).toEqual({ failed: 20, 'not-shown': 10 });
    expect(retrieved).toHaveLength(20);
  });

  test('throws if a page fails', async () => {
    const { ctx } = reading(EVENTS, { failing: new Map([[29, FAILED_PAGE]]) });
    await expect(readTransaction(ctx, 'txn_0001')).rejects.toBe(FAILED_PAGE);
  });
});
