import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bounced,
  delivered,
  failed,
  mergedByDigest,
  skippedByCondition,
  topicFanOut,
} from '../../sandbox/notification-service/examples.ts';
import { openWorld, POLLS_ONCE, type World } from '../support/world.ts';

const HOUR_MS = 3_600_000;

/** Plants one trigger to a topic: the newest 2,050 of its events were delivered, the oldest 25 failed. */
function plantLaunch({ world }: World['service']): void {
  const launch = { workflow: 'marketing-news', topics: ['news-readers'], transactionId: 'txn-launch' };
  for (const plan of topicFanOut(2_050, launch)) world.plantEvent(plan);
  const unlucky = { ...launch, createdAt: Date.now() - 60_000 };
  for (let n = 0; n < 25; n++) world.plantEvent(failed('email', { ...unlucky, subscriber: `unlucky-${n}` }));
}

describe('a lookup', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ pace: 0.1, variables: POLLS_ONCE });
  });
  afterAll(() => world.close());

  test('goes from a digest to the events that it merged, and back', async () => {
    const { ann, service } = world;
    const ofReader = { workflow: 'weekly-digest', subscriber: 'reader-7' };
    const collected = { type: 'regular', amount: 1, unit: 'hours', events: [{}, {}, {}] };
    const digest = service.world.plantEvent({
      ...delivered(),
      ...ofReader,
      jobs: [{ type: 'digest', digest: collected }],
    });
    const swallowed = [1, 2].map(() => service.world.plantEvent(mergedByDigest(digest._id, ofReader)));
    const card = await ann.asks(`/notif event ${digest._id}`);
    expect(card.words).toContain('collected 3 events');
    expect(card.words).toContain('Its digest merged 2 other events into this one');
    await ann.clicks('Look up', card);
    const merged = await ann.gets(`Merged by a digest into ${digest._id}`);
    expect(merged.words).toContain('⏭️ email');
    expect(merged.words).toContain(`Event ${swallowed[1]?._id}`);
  });

  test('says until when a step waits, and how often that was extended', async () => {
    const { ann, service } = world;
    const at = Date.now() - HOUR_MS;
    const event = service.world.plantEvent({
      createdAt: at,
      payload: { sendAt: new Date(at + 48 * HOUR_MS).toISOString() },
      jobs: [
        { type: 'delay', status: 'delayed', step: { metadata: { type: 'scheduled', delayPath: 'sendAt' } } },
        {
          type: 'digest',
          status: 'delayed',
          digest: { type: 'regular', amount: 2, unit: 'days' },
          scheduleExtensionsCount: 2,
        },
        { type: 'email', status: 'pending' },
      ],
    });
    const card = await ann.asks(`/notif event ${event._id}`);
    expect(card.words).toMatch(/⏳ In progress[\s\S]*Waiting at the delay step\./);
    expect(card.words).toMatch(/waits until .* · scheduled/);
    expect(card.words).toContain("waits 2 d · extended 2× to fit the subscriber's schedule");
  });

  test('says how late a bounce came, and by which condition a step was skipped', async () => {
    const { ann, service } = world;
    const event = service.world.plantEvent(bounced({ subscriber: 'gone', createdAt: Date.now() - 2 * HOUR_MS }));
    service.world.addLateDetail(event._id, 0, { status: 'Failed', detail: 'Bounced again', source: 'Webhook' });
    const card = await ann.asks(`/notif event ${event._id}`);
    expect(card.words).toMatch(/Failed: Bounced again \(webhook, .*\)/);

    const children = [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' as const }];
    const filters = [{ isNegated: false, type: 'GROUP', value: 'AND' as const, children }];
    const jobs = (skippedByCondition().jobs ?? []).map((job) => ({ ...job, step: { filters } }));
    const skipped = service.world.plantEvent({ jobs });
    const other = await ann.asks(`/notif event ${skipped._id}`);
    expect(other.words).toContain('sent only if payload.plan EQUAL pro');
  });

  test('counts the newest two thousand events of a transaction, and says that there are more', async () => {
    const { ann, service } = world;
    plantLaunch(service);
    const first = await ann.asks('/notif event txn-launch');
    expect(first.words).toContain('made more than 2,000 events of Marketing news by topic news-readers');
    expect(first.words).toContain('Newest 2,000 events checked; there are more');
    expect(first.words).toContain('All failures: /notif failures tx:txn-launch');
  });
});
