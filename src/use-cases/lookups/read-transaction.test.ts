import { describe, expect, test } from 'vitest';
import { aFailedEvent, anEvent, at } from '../../domain/service/event.testing.ts';
import type { TriggeredEvent } from '../../domain/service/event.ts';
import type { EventQuery } from '../../domain/service/query.ts';
import { listTransaction } from './list-transaction.ts';
import { readTransaction } from './read-transaction.ts';

/** Every tenth of the events has failed. */
const EVENTS = Array.from({ length: 4_812 }, (_, n) =>
  n % 10 === 9 ? aFailedEvent({ id: `failed-${n}` }) : anEvent({ id: `fine-${n}` }),
);

function reading(events: readonly TriggeredEvent[]) {
  let requests = 0;
  const service = {
    async *eventPages({ page: first = 0, limit = 50 }: EventQuery & { readonly page?: number }) {
      for (let page = first; ; page++) {
        requests += 1;
        const items = events.slice(page * limit, (page + 1) * limit);
        const hasMore = (page + 1) * limit < events.length;
        yield { items, unreadable: [], hasMore };
        if (!hasMore) return;
      }
    },
  };
  return { parts: { service, now: () => at(60) }, requests: () => requests };
}

describe('reading a transaction with thousands of events', () => {
  test('continues where it ended, without reading anything twice, and adds up the counts', async () => {
    const { parts, requests } = reading(EVENTS);
    const first = await readTransaction('txn_0001', null, parts);
    expect(first).toMatchObject({ tally: { events: 2_000, counts: { failed: 200 } }, next: { page: 40 } });
    const second = await readTransaction('txn_0001', first.next, parts);
    expect(second).toMatchObject({ start: { counts: { failed: 200, delivered: 1_800 } }, tally: { events: 2_000 } });
    const third = await readTransaction('txn_0001', second.next, parts);
    expect(third).toMatchObject({ tally: { events: 812 }, next: null, start: { counts: { failed: 400 } } });
    expect(requests()).toBe(97);
  });

  test('counts the outcome of each channel', async () => {
    const { tally } = await readTransaction('txn_0001', null, reading(EVENTS).parts);
    expect(tally.channels.get('email')).toEqual({ failed: 200, delivered: 1_800 });
  });

  test("returns the event if it is the transaction's only one", async () => {
    const one = anEvent({ id: 'alone' });
    expect((await readTransaction('txn_0001', null, reading([one]).parts)).only).toBe(one);
    expect((await readTransaction('txn_0001', null, reading(EVENTS).parts)).only).toBeNull();
  });
});

describe('listing a transaction', () => {
  const page = { transactionId: 'txn_0001', before: at(3_600), limit: 10 };

  test('shows each event once, page after page, to the end', async () => {
    const { parts } = reading(EVENTS.slice(0, 123));
    const ids: (string | null)[] = [];
    for (let from = 0, hasMore = true; hasMore; ) {
      const read = await listTransaction({ ...page, which: 'all', from }, parts);
      ids.push(...read.rows.map(({ eventId }) => eventId));
      from = read.to;
      hasMore = read.hasMore;
    }
    expect(ids).toEqual(EVENTS.slice(0, 123).map(({ id }) => id));
  });

  test('skips what is fine, and reports how far it looked', async () => {
    const { parts, requests } = reading(EVENTS);
    const { rows, to } = await listTransaction({ ...page, which: 'failing', from: 55 }, parts);
    expect(rows.map(({ eventId }) => eventId)).toEqual(Array.from({ length: 10 }, (_, n) => `failed-${59 + 10 * n}`));
    expect(rows[0]?.cause).toMatchObject({ channel: 'email', text: 'Provider error' });
    expect(to).toBe(150);
    expect(requests()).toBe(3);
  });

  test('returns a short page after forty requests if nothing fails', async () => {
    const { parts, requests } = reading(Array.from({ length: 3_000 }, (_, n) => anEvent({ id: `${n}` })));
    expect(await listTransaction({ ...page, which: 'failing', from: 0 }, parts)).toEqual({
      rows: [],
      to: 2_000,
      hasMore: true,
    });
    expect(requests()).toBe(40);
  });
});
