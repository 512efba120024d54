import { beforeEach, expect, test } from 'vitest';
import { createSeal } from '../lib/seal.ts';
import { aDetail, aJob, anEvent } from '../service/event.testing.ts';
import type { TriggerItem } from '../service/trigger.ts';
import { failure, NOON, recordFailures } from '../store/examples.testing.ts';
import { incidents } from '../store/schema.ts';
import { describeStore, silent } from '../store/store.testing.ts';
import { brokenEvents, type ResendCtx, resendProgress, startResend, stopResends } from './resend.ts';
import { continueResends } from './resend-loop.ts';

const PEOPLE = Array.from({ length: 60 }, (_, index) => `user-${index}`);

describeStore('sending again', (store) => {
  let sent: string[];

  beforeEach(() => {
    sent = [];
  });

  /** The service as it is after the failures: whoever asks for an event gets it, and a trigger is taken. */
  function aCtx(): ResendCtx {
    const listed = (subscriberId: string) => {
      const subscriber = { subscriberId, initials: null, maskedEmail: null, maskedPhone: null };
      const jobs = [aJob({ status: 'failed', details: [aDetail()] })];
      return anEvent({ id: `event-${subscriberId}`, transactionId: `txn-${subscriberId}`, subscriber, jobs });
    };
    return {
      db: store().db,
      seal: createSeal('xoxb-secret'),
      serviceOf: () => ({
        clockAheadMs: () => 0,
        retrieveEvent: async () => null,
        listEvents: async () => ({ items: [], unreadable: [], hasMore: false }),
        async *eventPages({ subscriberIds = [] }) {
          yield { items: subscriberIds.map(listed), unreadable: [], hasMore: false };
        },
        triggerEvents: async (items: readonly TriggerItem[]) => {
          sent.push(...items.map(({ subscriberId }) => subscriberId));
          return items.map(({ transactionId }) => ({ status: 'processed', errors: [], transactionId }));
        },
      }),
      logger: silent,
      now: () => NOON,
      newId: () => 'key',
    };
  }

  async function incidentOfAll(): Promise<number> {
    const people = PEOPLE.map((subscriberId) =>
      failure({ subscriberId, eventKey: `event-${subscriberId}`, eventId: `event-${subscriberId}` }),
    );
    await recordFailures(store(), NOON, people);
    const [row] = await store().db.select().from(incidents);
    return row?.id ?? 0;
  }

  async function command(incidentId: number, intent: string) {
    const broken = await brokenEvents(store().db, incidentId);
    const sending = broken.map(({ eventKey, transactionId: originalId, subscriberId }) => {
      return { eventKey, originalId, subscriberId: subscriberId ?? '', workflow: 'order-shipped' };
    });
    return { intent, actor: 'U1', channel: null, incidentId, sending };
  }

  test('two people, a double submission and two replicas at once send each event once', async () => {
    const ctx = aCtx();
    const incidentId = await incidentOfAll();
    const [first, second] = [await command(incidentId, 'first'), await command(incidentId, 'second')];
    const began = await Promise.all([first, first, second].map((each) => startResend(ctx, each)));
    expect(began.filter((start) => start === null)).toHaveLength(1);
    const signal = new AbortController().signal;
    await Promise.all([continueResends(ctx, signal), continueResends(aCtx(), signal)]);
    await continueResends(ctx, signal);
    expect(sent.toSorted()).toEqual(PEOPLE.toSorted());
  });

  test('what is stopped sends no more, and what was not sent can be sent later', async () => {
    const ctx = aCtx();
    const incidentId = await incidentOfAll();
    await startResend(ctx, await command(incidentId, 'first'));
    const signal = new AbortController().signal;
    await continueResends(ctx, signal);
    expect(await stopResends(ctx, incidentId, 'U2')).toBe(true);
    await continueResends(ctx, signal);
    expect(sent).toHaveLength(50);
    expect((await resendProgress(store().db, 'first')).counts).toEqual({ sent: 50 });
    const left = (await brokenEvents(store().db, incidentId)).filter(({ isSentAgain }) => !isSentAgain);
    expect(left).toHaveLength(10);
  });
});
