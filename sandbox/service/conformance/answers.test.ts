import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quietEachTest } from '../quiet.testing.ts';
import * as contract from './contract.testing.ts';

const service = quietEachTest({ history: 0.1 });

const enveloped = <T extends z.ZodType>(answer: T) => z.strictObject({ data: answer });

async function pagesOf(path: string): Promise<unknown[]> {
  const pages: unknown[] = [];
  for (let page = 0, hasMore = true; hasMore; page += 1) {
    const { body } = await service.get(`${path}&page=${page}`);
    pages.push(body);
    hasMore = body.hasMore === true;
  }
  return pages;
}

const triggers = {
  events: [
    { name: 'order-shipped', to: ['user-1'], payload: {} },
    { name: 'nonexistent', to: ['user-1'], payload: {} },
    { name: 'retired-welcome', to: ['user-1'], payload: {} },
    { name: 'empty-draft', to: ['user-1'], payload: {} },
    { name: 'paused-survey', to: ['user-1'], payload: {} },
    { name: 'order-shipped', to: ['user-1'], payload: {}, tenant: 'unknown' },
    { name: 'order-shipped', to: ['no such id!'], payload: {} },
  ],
};
const credentials = { providerId: 'fcm', credentials: { deviceTokens: ['one'] } };

type Ask = () => Promise<unknown[]>;

describe('the answers of a service with some minutes of history', () => {
  test.each<[string, Ask, z.ZodType]>([
    ['events', () => pagesOf('/v1/notifications?limit=50'), contract.Events],
    ['messages', () => pagesOf('/v1/messages?limit=1000'), contract.Messages],
    [
      'topic subscriptions',
      async () => [
        (await service.get('/v2/topics/news-readers/subscriptions?limit=20')).body,
        (await service.get('/v2/topics/news-readers/subscriptions?limit=20&orderDirection=ASC')).body,
        await secondPageOfReaders(),
      ],
      contract.TopicSubscriptions,
    ],
    ['integrations', async () => [(await service.get('/v1/integrations')).body], enveloped(contract.Integrations)],
    [
      'trigger results',
      async () => [(await service.post('/v1/events/trigger/bulk', triggers)).body],
      enveloped(contract.TriggerResults),
    ],
    [
      'updated subscribers',
      async () => [(await service.patch('/v1/subscribers/user-3/credentials', credentials)).body],
      enveloped(contract.Subscriber),
    ],
  ])('match the contract’s shape: %s', async (_, ask, shape) => {
    const answers = await ask();
    for (const answer of answers) expect(shape.safeParse(answer).error?.issues.slice(0, 3) ?? []).toEqual([]);
  });

  test('match the contract’s shape when an event is retrieved', async () => {
    const [event] = contract.Events.parse((await service.get('/v1/notifications?limit=1')).body).data;
    enveloped(contract.Event).parse((await service.get(`/v1/notifications/${event?._id}`)).body);
  });

  async function secondPageOfReaders(): Promise<unknown> {
    const { body } = await service.get('/v2/topics/news-readers/subscriptions?limit=20');
    return (await service.get(`/v2/topics/news-readers/subscriptions?after=${body.next}`)).body;
  }
});
