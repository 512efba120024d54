import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type QuietService, startQuietService } from '../testing.ts';
import * as contract from './contract.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService({ history: { hours: 0.5 } });
});
afterAll(() => service.close());

const enveloped = <T extends z.ZodType>(answer: T) => z.strictObject({ data: answer });

const pages = (path: string, last: number) => Array.from({ length: last + 1 }, (_, page) => `${path}&page=${page}`);

describe('every answer of a service that has lived for half an hour has the shape of the contract', () => {
  it.each<[string, readonly string[], z.ZodType]>([
    ['events', pages('/v1/notifications?limit=50', 12), contract.Events],
    ['messages', pages('/v1/messages?limit=1000', 1), contract.Messages],
    ['topic subscriptions', ['/v2/topics/news-readers/subscriptions?limit=100'], contract.TopicSubscriptions],
    ['integrations', ['/v1/integrations'], enveloped(contract.Integrations)],
  ])('in the list of %s', async (_, paths, shape) => {
    for (const path of paths) expect(shape.safeParse((await service.get(path)).body).error?.issues ?? []).toEqual([]);
  });

  it('when an event is retrieved, triggered, and credentials are updated', async () => {
    const [event] = contract.Events.parse((await service.get('/v1/notifications?limit=1')).body).data;
    enveloped(contract.Event).parse((await service.get(`/v1/notifications/${event?._id}`)).body);
    const events = [
      { name: 'order-shipped', to: 'user-1', payload: {} },
      { name: 'nonexistent', to: 'user-1' },
    ];
    enveloped(contract.TriggerResults).parse((await service.post('/v1/events/trigger/bulk', { events })).body);
    const credentials = { providerId: 'fcm', credentials: { deviceTokens: ['one'] } };
    const updated = await service.patch('/v1/subscribers/user-1/credentials', credentials);
    enveloped(contract.Subscriber).parse(updated.body);
  });
});
