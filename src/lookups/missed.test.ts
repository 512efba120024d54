import { describe, expect, test } from 'vitest';
import { aService } from '../service/client.testing.ts';
import { aDetail, aJob, anEvent, aSubscriber, at } from '../service/event.testing.ts';
import type { Job, TriggeredEvent } from '../service/event.ts';
import { aSubscription } from '../service/lists.testing.ts';
import { findMissed } from './missed.ts';

describe('who missed a transaction of a topic', () => {
  const EMAIL = { type: 'email', details: [aDetail()] };
  const inApp = aJob({ id: 'in-app', type: 'in_app', provider: null });
  const sentTo = (subscriberId: string, ...jobs: Job[]) => anEvent({ subscriber: aSubscriber(subscriberId), jobs });
  const refused = aJob({ ...EMAIL, status: 'failed' });
  const noAddress = aJob({
    ...EMAIL,
    status: 'canceled',
    details: [aDetail({ status: 'Failed', detail: 'Subscriber missing email address', raw: null })],
  });

  function asking(pages: readonly (readonly TriggeredEvent[])[], subscribers: readonly (string | null)[]) {
    const service = aService({
      clockAheadMs: () => 0,
      retrieveEvent: async () => null,
      async *eventPages() {
        for (const [index, items] of pages.entries())
          yield { items, unreadable: [], hasMore: index < pages.length - 1 };
      },
      listTopicSubscriptions: async () => {
        const items = subscribers.map((id) =>
          aSubscription({ createdAt: at(-60), subscriber: id === null ? null : aSubscriber(id) }),
        );
        return { items, unreadable: [], hasMore: false };
      },
    });
    const ctx = { service, now: () => at(60), progress: () => {} };
    return findMissed(ctx, 'launch', 'txn_0001');
  }

  const missedOf = (found: Awaited<ReturnType<typeof asking>>) =>
    Object.fromEntries((found?.missing ?? []).map(({ subscriber, missed }) => [subscriber?.subscriberId, missed]));

  test('is seen by the steps of every page', async () => {
    const pages = [sentTo('refused-1', inApp, refused), sentTo('none-1', inApp, noAddress)];
    const later = [sentTo('refused-2', inApp, refused), sentTo('none-2', inApp, noAddress), sentTo('fine', inApp)];
    const found = await asking([pages, later], ['refused-1', 'none-1', 'refused-2', 'none-2', 'fine', 'left out']);
    const email = ['email'];
    expect(missedOf(found)).toEqual({
      'refused-1': email,
      'none-1': email,
      'refused-2': email,
      'none-2': email,
      'left out': null,
    });
  });

  test('is decided once a person, by all of their events', async () => {
    const events = [
      sentTo('twice', refused),
      sentTo('twice', aJob({ type: 'email', details: [] })),
      sentTo('never', refused),
      sentTo('never', refused),
    ];
    expect(missedOf(await asking([events], ['twice', 'never']))).toEqual({ never: null });
  });

  test("isn't told of deleted subscribers, nor of those whose steps aren't shown", async () => {
    const unshown = anEvent({ id: null, subscriber: aSubscriber('unshown'), jobs: [], listsSteps: false });
    const found = await asking([[unshown]], ['unshown', null]);
    expect(found).toMatchObject({ missing: [], deleted: 1, unknown: 1, subscribed: 2 });
  });
});
