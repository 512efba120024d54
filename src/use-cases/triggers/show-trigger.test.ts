import { expect, test } from 'vitest';
import { aFailedEvent, anEvent, at, NOON } from '../../domain/service/event.testing.ts';
import type { KeptTrigger } from './run-trigger.ts';
import { showTrigger } from './show-trigger.ts';

const RESULT = { acknowledged: true, errors: [], transactionId: null };

const KEPT: KeptTrigger = {
  intent: {
    id: 'intent-1',
    environment: 'production',
    actor: 'U1',
    workflow: 'order-shipped',
    recipients: [1, 2, 3].map((n) => ({ subscriberId: `user-${n}`, transactionId: `txn-${n}` })),
  },
  claimedAt: NOON,
  results: [
    { ...RESULT, status: 'processed' },
    { ...RESULT, status: 'invalid_recipients' },
    { ...RESULT, status: 'processed' },
  ],
};

function show(kept: KeptTrigger | null) {
  const subscriber = (subscriberId: string) => ({ subscriberId, initials: null, maskedEmail: null, maskedPhone: null });
  const items = [
    anEvent({ transactionId: 'txn-1', subscriber: subscriber('user-1') }),
    aFailedEvent({ transactionId: 'txn-3', subscriber: subscriber('user-3') }),
  ];
  const service = {
    clockAheadMs: () => 0,
    listEvents: async ({ transactionId }: { transactionId?: string }) => ({
      items: items.filter((one) => one.transactionId === transactionId),
      unreadable: [],
      hasMore: false,
    }),
    async *eventPages() {},
    retrieveEvent: async () => null,
  };
  return showTrigger('intent-1', {
    store: { keptTrigger: async () => kept },
    serviceOf: () => service,
    now: () => at(60),
  });
}

test('shows each row of a trigger as it is now: refused when sent, or by its event', async () => {
  const shown = await show(KEPT);
  expect(shown?.run).toMatchObject({ intent: 'intent-1', workflow: 'order-shipped', startedAt: NOON });
  expect(shown?.progress).toMatchObject({
    phase: 'finished',
    isAnswerLost: false,
    recipients: [
      { row: 1, state: { is: 'seen', judgement: { verdict: 'delivered' } } },
      { row: 2, state: { is: 'refused', status: 'invalid_recipients' } },
      { row: 3, state: { is: 'seen', judgement: { verdict: 'failed' } } },
    ],
  });
});

test("shows a lost answer, and nothing for a trigger that isn't kept anymore", async () => {
  expect((await show({ ...KEPT, results: null }))?.progress).toMatchObject({ isAnswerLost: true, phase: 'following' });
  expect(await show(null)).toBeNull();
});
