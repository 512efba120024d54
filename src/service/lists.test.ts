import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUpdatedSubscriber } from './credentials.ts';
import { readEvent } from './event.ts';
import { readIntegration } from './integration.ts';
import { readMessage } from './message.ts';
import { type BodyReader, readCursorPage, readList, readPage } from './reader.ts';
import { readSubscription } from './subscription.ts';
import { readTriggerResults } from './trigger.ts';

const readEvents = readPage(readEvent);
const good = { _id: '65f0', transactionId: 't-1' };

function readWith<Value>(read: BodyReader<Value>, body: unknown): Value {
  const result = read(body);
  if (!result.ok) throw new Error(result.reason);
  return result.value;
}

test('readPage names an odd item and keeps its page', () => {
  const odd = { _id: 'odd-1', createdAt: '2026-11-20T12:00:00Z', transactionId: 7 };
  const page = readWith(readEvents, { data: [good, odd, good], hasMore: true });
  expect(page.items).toHaveLength(2);
  expect(page.unreadable).toEqual([{ key: 'odd-1', createdAt: new Date('2026-11-20T12:00:00Z') }]);
});

test('readPage gives an odd item without an ID the same key each time', () => {
  const read = (item: unknown) => readWith(readEvents, { data: [item], hasMore: false }).unreadable[0]?.key;
  expect(read({ a: 1 })).toMatch(/^[0-9a-f]{24}$/);
  expect(read({ a: 1 })).toBe(read({ a: 1 }));
  expect(read({ a: 1 })).not.toBe(read({ a: 2 }));
  expect(read({ _id: 'not an id, but a text from outside' })).toMatch(/^[0-9a-f]{24}$/);
});

test.each([{}, [], null, 'x', { data: {}, hasMore: true }])('readPage rejects %j', (body) => {
  expect(readEvents(body).ok).toBe(false);
});

test.each(['false', 1])('readPage keeps a page whose hasMore is %j, which has more unless it is empty', (hasMore) => {
  const page = readEvents({ data: [good], hasMore });
  expect(page).toMatchObject({ ok: true, odd: ['hasMore'], value: { items: [{ id: '65f0' }], hasMore: true } });
  expect(readWith(readEvents, { data: [], hasMore })).toMatchObject({ items: [], hasMore: false });
  expect(readWith(readPage(readMessage), { data: [], hasMore })).toMatchObject({ hasMore: false });
});

test.each([
  ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f3577b34da6a3ce929d0e0e4736'],
  ['unexpected_provider_error', 'unexpected_provider_error'],
  ['key-0a1b2c3d4e5f60718293a4b5c6d7e8f9', '•••'],
  ['', null],
])('readMessage keeps an error ID whole, and no secret in its place: %s', (errorId, kept) => {
  const message = { _notificationId: 'e', transactionId: 't', channel: 'email', status: 'error', errorId };
  expect(readWith(readMessage, message).errorId).toBe(kept);
});

test('readUpdatedSubscriber accepts an update without a response body', () => {
  expect(readWith(readUpdatedSubscriber, undefined)).toEqual({ settings: [], isDeleted: false, unreadable: 0 });
});

describe('any JSON', () => {
  const readers: readonly BodyReader<unknown>[] = [
    readEvents,
    readPage(readMessage),
    readList(readIntegration),
    readCursorPage(readSubscription),
    readUpdatedSubscriber,
    readTriggerResults(1),
  ];

  test('is read or rejected without an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        for (const read of readers) {
          read(json);
          read({ data: [json], hasMore: true, next: null, previous: null });
          read([json]);
          read({ channels: [json] });
        }
      }),
    );
  });

  test('has each item of a page accounted for', () => {
    const item = fc.oneof(fc.jsonValue(), fc.record({ transactionId: fc.jsonValue(), jobs: fc.jsonValue() }));
    fc.assert(
      fc.property(fc.array(item), fc.boolean(), (data, hasMore) => {
        const page = readWith(readEvents, { data, hasMore });
        expect(page.items.length + page.unreadable.length).toBe(data.length);
        expect(page.hasMore).toBe(hasMore);
      }),
    );
  });
});
