import { describe, expect, test } from 'vitest';
import { ServiceError } from '../lib/errors.ts';
import { aFailedEvent, aJob, anEvent, at, NOON } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { EventQuery, Page } from '../service/query.ts';
import { FOLLOW_MS, followTrigger, progressAnswered, type Recipient, type TriggerProgress } from './send.ts';

const awaitedRecipient = (n: number): Recipient => ({
  row: n,
  subscriberId: `user-${n}`,
  transactionId: `notif-${n}`,
  state: { is: 'awaited' },
});

const subscriberOf = (n: number) => ({
  subscriberId: `user-${n}`,
  initials: null,
  maskedEmail: null,
  maskedPhone: null,
});
const queued = (n: number) =>
  anEvent({ transactionId: `notif-${n}`, subscriber: subscriberOf(n), jobs: [aJob({ status: 'queued' })] });
const delivered = (n: number) => anEvent({ transactionId: `notif-${n}`, subscriber: subscriberOf(n) });
const failed = (n: number) => aFailedEvent({ transactionId: `notif-${n}`, subscriber: subscriberOf(n) });

interface Service {
  aheadMs?: number | null;
  sentAt?: Date;
}

async function follow(
  recipients: Recipient[],
  eventsAt: (second: number) => TriggeredEvent[],
  { aheadMs = 0, sentAt = NOON }: Service = {},
) {
  let now = NOON.getTime();
  const queries: EventQuery[] = [];
  const matching = (query: EventQuery) => {
    queries.push(query);
    return eventsAt((now - NOON.getTime()) / 1000).filter((event) => isAskedFor(event, query));
  };
  const service = {
    clockAheadMs: () => aheadMs,
    retrieveEvent: async (id: string) =>
      eventsAt((now - NOON.getTime()) / 1000).find((event) => event.id === id) ?? null,
    async *eventPages(query: EventQuery): AsyncGenerator<Page<TriggeredEvent>> {
      yield { items: matching(query), unreadable: [], hasMore: false };
    },
  };
  const sleep = async (ms: number) => {
    now += ms;
  };
  const looks: TriggerProgress[] = [];
  const intent = { id: 'intent-1', environment: 'production', actor: 'U1', workflow: 'order-shipped', recipients };
  const sent = { ...progressAnswered({ intent, claimedAt: sentAt, results: null }), recipients };
  const { signal } = new AbortController();
  const ctx = { serviceOf: () => service, sleep, now: () => new Date(now), signal };
  for await (const look of followTrigger(ctx, sent)) looks.push(look);
  return { looks, queries, seconds: (now - NOON.getTime()) / 1000, states: looks.map(statesOf) };
}

function isAskedFor(event: TriggeredEvent, { subscriberIds, after, before }: EventQuery): boolean {
  const { createdAt } = event;
  if (createdAt !== null && ((after && createdAt < after) || (before && createdAt > before))) return false;
  return subscriberIds?.includes(event.subscriber?.subscriberId ?? '') ?? true;
}

function statesOf(look: TriggerProgress): string {
  const states = look.recipients.map(({ state }) => (state.is === 'seen' ? state.judgement.verdict : state.is));
  return `${look.phase}: ${states.join(', ')}`;
}

describe('following a trigger', () => {
  test('ends when every event is final', async () => {
    const { states } = await follow([awaitedRecipient(1), awaitedRecipient(2)], (second) => {
      if (second < 1) return [];
      return second < 4 ? [queued(1), queued(2)] : [delivered(1), failed(2)];
    });
    expect(states).toEqual([
      'following: awaited, awaited',
      'following: in-progress, in-progress',
      'following: in-progress, in-progress',
      'finished: delivered, failed',
    ]);
  });

  test('ends after two minutes, with unseen events still awaited', async () => {
    const { states, seconds } = await follow([awaitedRecipient(1)], () => []);
    expect(states.at(-1)).toBe('out-of-time: awaited');
    expect(seconds * 1000).toBeGreaterThanOrEqual(FOLLOW_MS);
    expect(seconds * 1000).toBeLessThan(FOLLOW_MS + 11_000);
  });

  test("doesn't look for refused recipients", async () => {
    const refused: Recipient = {
      ...awaitedRecipient(1),
      state: { is: 'refused', why: 'the service reports an error', errors: [] },
    };
    const { states, queries } = await follow([refused], () => []);
    expect(states).toEqual(['finished: refused']);
    expect(queries).toEqual([]);
  });

  test('reads a hundred together, one page of subscribers at a time', async () => {
    const recipients = Array.from({ length: 100 }, (_, i) => awaitedRecipient(i));
    const { looks, queries } = await follow(recipients, () => recipients.map((_, i) => delivered(i)));
    expect(looks.at(-1)?.phase).toBe('finished');
    expect(queries.map((query) => query.subscriberIds?.length)).toEqual([12, 12, 12, 12, 12, 12, 12, 12, 4]);
  });

  test('reads of many only what was created around the time when they were sent', async () => {
    const recipients = Array.from({ length: 10 }, (_, n) => awaitedRecipient(n));
    const { queries } = await follow(recipients, () => [], { sentAt: at(-7 * 24 * 3_600) });
    expect(queries[0]).toMatchObject({ after: at(-7 * 24 * 3_600 - 600), before: at(-7 * 24 * 3_600 + 725) });
  });

  test("continues after the service couldn't be read, and reports that meanwhile", async () => {
    const trouble = new ServiceError('production', 'listEvents', { kind: 'unreachable' });
    const { looks } = await follow([awaitedRecipient(1)], (second) => {
      if (second < 1) throw trouble;
      return [delivered(1)];
    });
    expect(looks.map((look) => look.trouble)).toEqual([trouble, null]);
  });

  test("ignores somebody else's event in the same transaction", async () => {
    const other = { ...delivered(2), transactionId: 'notif-1', createdAt: at(1) };
    const { states } = await follow([awaitedRecipient(1)], (second) => (second < 1 ? [other] : [other, delivered(1)]));
    expect(states).toEqual(['following: awaited', 'finished: delivered']);
  });
});
