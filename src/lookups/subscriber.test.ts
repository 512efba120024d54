import { expect, test } from 'vitest';
import { explainCause } from '../causes/explain-cause.ts';
import { aService } from '../service/client.testing.ts';
import { aDetail, aJob, anEvent, at } from '../service/event.testing.ts';
import type { EventQuery } from '../service/query.ts';
import { lookUpSubscriber } from './subscriber.ts';

const delivered = anEvent({ id: 'newer', createdAt: at(60), jobs: [aJob({ updatedAt: at(71) })] });
const afterDigest = aJob({ status: 'failed', updatedAt: at(117), details: [aDetail({ createdAt: at(117) })] });
const failed = anEvent({ id: 'older', createdAt: at(0), jobs: [aJob({ type: 'digest' }), afterDigest] });
const merged = anEvent({ id: 'merged', createdAt: at(90), jobs: [aJob({ status: 'merged', updatedAt: at(120) })] });

test('only the events of a tag are shown, from as many pages as it takes, but each channel by the newest of all events', async () => {
  const tagged = anEvent({ id: 'tagged', tags: ['Orders'], createdAt: at(-60) });
  const asked: EventQuery[] = [];
  const service = aService({
    listMessages: async () => null,
    listEvents: async (query) => {
      asked.push(query);
      const items = (query.page ?? 0) === 0 ? [delivered] : [tagged];
      return { items, unreadable: [], hasMore: (query.page ?? 0) === 0 };
    },
  });
  const chosen = { workflowIds: ['w1'], topicKey: 'launch', after: at(-900), tags: ['orders'] };
  const found = await lookUpSubscriber({ service, explainCause, now: () => at(180) }, 'user-1', chosen);
  expect(found?.events.map(({ event }) => event.id)).toEqual(['tagged']);
  expect(found?.reach.find(({ channel }) => channel === 'email')?.newest?.outcome).toBe('delivered');
  expect(asked.at(-1)).toMatchObject({ subscriberIds: ['user-1'], workflowIds: ['w1'], topicKey: 'launch' });
});

test('a channel is as its newest attempt was, however old its event is, and a merged step is none', async () => {
  const listed = { items: [merged, delivered, failed], unreadable: [], hasMore: false };
  const service = aService({ listMessages: async () => null, listEvents: async () => listed });
  const found = await lookUpSubscriber({ service, explainCause, now: () => at(180) }, 'user-1');
  const email = found?.reach.find(({ channel }) => channel === 'email')?.newest;
  expect(email).toMatchObject({ outcome: 'failed', failure: { channel: 'email' } });
});
