import { describe, expect, test } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import { anEnvironment } from '../lib/environment.testing.ts';
import type { NotificationId } from '../lib/input/ids.ts';
import { aService } from '../service/client.testing.ts';
import { aFailedEvent, anEvent, at } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Message } from '../service/lists.ts';
import type { EventQuery, MessageQuery } from '../service/query.ts';
import { ServiceError } from '../service/service-error.ts';
import { lookUpEvent, targetOf } from './event.ts';

const environment = anEnvironment();

interface Answers {
  messages?: Message[];
  messagesError?: ServiceError;
  unreadableMessages?: number;
  hasNoSubscriber?: boolean;
  unreadableEvents?: number;
}

const unreadableItems = (length = 0) => Array.from({ length }, () => ({ key: 'x', createdAt: null }));

function lookingUp(events: TriggeredEvent[], answers: Answers = {}) {
  const service = aService({
    clockAheadMs: () => 0,
    retrieveEvent: async (id: string) => events.find((event) => event.id === id) ?? null,
    listEvents: async () => ({ items: events, unreadable: [], hasMore: false }),
    async *eventPages({ transactionId }: EventQuery) {
      const listed = events.filter((event) => transactionId === undefined || event.transactionId === transactionId);
      for (let first = 0; first === 0 || first < listed.length; first += 50) {
        const unreadable = unreadableItems(first === 0 ? answers.unreadableEvents : 0);
        yield { items: listed.slice(first, first + 50), unreadable, hasMore: first + 50 < listed.length };
      }
    },
    listMessages: async ({ subscriberId }: MessageQuery) => {
      if (answers.hasNoSubscriber && subscriberId !== undefined) return null;
      if (answers.messagesError) throw answers.messagesError;
      const unreadable = unreadableItems(answers.unreadableMessages);
      return { items: answers.messages ?? [], unreadable, hasMore: false, totalCount: null };
    },
  });
  const ctx = { environment, service, explainCause, now: () => at(60) };
  return { lookUp: (target: NotificationId) => lookUpEvent(ctx, target) };
}

describe('looking an event up', () => {
  test('finds it by its ID, with its verdict and messages', async () => {
    const messages = [{ eventId: 'e1' }, { eventId: 'of another event' }] as Message[];
    const { lookUp } = lookingUp([aFailedEvent({ id: 'e1' })], { messages });
    expect(await lookUp({ kind: 'event', id: 'e1' })).toMatchObject({
      judgment: { verdict: 'failed', failures: [{ cause: { text: 'Provider error' } }] },
      messages: { items: [{ eventId: 'e1' }], error: null },
    });
  });

  test.each([
    [60, null],
    [60 + 420, 420_000],
  ])('says how far in the future its service dates it: at %i s', async (second, aheadMs) => {
    const { lookUp } = lookingUp([anEvent({ id: 'e1', createdAt: at(second) })]);
    expect(await lookUp({ kind: 'event', id: 'e1' })).toMatchObject({ aheadMs });
  });

  test("treats an ID that isn't an event's as a transaction's", async () => {
    const { lookUp } = lookingUp([anEvent({ id: 'e1', transactionId: '65f000000000000000000abc' })]);
    const found = await lookUp({ kind: 'event', id: '65f000000000000000000abc' });
    expect(found).toMatchObject({ event: { id: 'e1' } });
  });

  test('finds an event, and a transaction, whose ID is written in capitals', async () => {
    const events = [
      anEvent({ id: '65f000000000000000000abc' }),
      anEvent({ id: 'e2', transactionId: '65F000000000000000000DEF' }),
    ];
    const { lookUp } = lookingUp(events);
    expect(await lookUp({ kind: 'event', id: '65F000000000000000000ABC' })).toMatchObject({ event: events[0] });
    expect(await lookUp({ kind: 'event', id: '65F000000000000000000DEF' })).toMatchObject({ event: events[1] });
  });

  test('finds the messages of an event whose subscriber was deleted', async () => {
    const messages = [{ eventId: 'e1' }, { eventId: 'of another subscriber' }] as Message[];
    const { lookUp } = lookingUp([anEvent({ id: 'e1' })], { messages, hasNoSubscriber: true });
    expect(await lookUp({ kind: 'event', id: 'e1' })).toMatchObject({ messages: { items: [{ eventId: 'e1' }] } });
  });

  test("doesn't show the only readable event of a transaction as all of it", async () => {
    const { lookUp } = lookingUp([anEvent({ id: 'e1' })], { unreadableEvents: 2 });
    expect(await lookUp({ kind: 'transaction', id: 'txn_0001' })).toMatchObject({
      events: [{}],
      unreadable: 2,
    });
  });

  test('says that there may be more messages if one is unreadable', async () => {
    const { lookUp } = lookingUp([anEvent({ id: 'e1' })], { unreadableMessages: 1 });
    expect(await lookUp({ kind: 'event', id: 'e1' })).toMatchObject({ messages: { items: [], hasMore: true } });
  });

  test("still shows the event if its messages can't be read", async () => {
    const messagesError = new ServiceError('production', 'listMessages', { kind: 'unreachable' });
    const { lookUp } = lookingUp([anEvent({ id: 'e1' })], { messagesError });
    expect(await lookUp({ kind: 'event', id: 'e1' })).toMatchObject({
      messages: { items: [], error: messagesError },
    });
  });
});

test('an event is named by its ID or, without one, by its transaction', () => {
  expect(targetOf({ id: '65f2a1c0d4e5f60718293a4b', transactionId: 'txn_1' })).toEqual({
    kind: 'event',
    id: '65f2a1c0d4e5f60718293a4b',
  });
  expect(targetOf({ id: null, transactionId: 'txn_1' })).toEqual({ kind: 'transaction', id: 'txn_1' });
});
