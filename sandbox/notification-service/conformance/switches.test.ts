import { beforeEach, describe, expect, test } from 'vitest';
import { delivered } from '../examples.ts';
import { idsOnPage, noon, type QuietService, startQuietService } from '../testing.ts';

let service: QuietService;
beforeEach(async () => {
  service = await startQuietService();
  return () => service.close();
});

const list = async (path: string) => (await service.get(path)).body;
const idsOf = async (query = '') => idsOnPage(await list(`/v1/notifications?${query}`));
const plant = (createdAt: number) => service.world.plantEvent(delivered({ createdAt }))._id;
const time = (ms: number) => new Date(ms).toISOString();

describe('a switch of behavior', () => {
  test.each<'after' | 'before'>(['after', 'before'])('excludes events created exactly at `%s`', async (end) => {
    const [older, newer] = [plant(noon - 2), plant(noon - 1)];
    const span = `after=${time(noon - 2)}&before=${time(noon - 1)}`;
    expect(await idsOf(span)).toEqual([newer, older]);
    service.behave({ [end]: 'exclusive' });
    expect(await idsOf(span)).toEqual([end === 'after' ? newer : older]);
    expect(await idsOf()).toEqual([newer, older]);
  });

  test('lists the oldest events and messages first, page by page', async () => {
    const planted = [3, 2, 1].map((ms) => plant(noon - ms));
    service.behave({ order: 'oldest first' });
    expect([...(await idsOf('limit=2')), ...(await idsOf('limit=2&page=1'))]).toEqual(planted);
    const { data } = await list('/v1/messages');
    expect(data).toMatchObject(planted.flatMap((id) => [{ _notificationId: id }, { _notificationId: id }]));
  });

  test('shuffles what was created in the same millisecond, differently in each answer', async () => {
    const old = plant(noon - 1);
    const together = Array.from({ length: 8 }, () => plant(noon));
    service.behave({ ties: 'shuffled' });
    const answers = await Promise.all(Array.from({ length: 6 }, () => idsOf()));
    expect(new Set(answers.map((ids) => ids.join())).size).toBeGreaterThan(1);
    for (const ids of answers) {
      expect(ids.at(-1)).toBe(old);
      expect(new Set(ids)).toEqual(new Set([old, ...together]));
    }
  });

  test('removes optional fields from lists, but not from a retrieved event', async () => {
    const id = plant(noon);
    service.behave({ eventListLacks: ['jobs', 'createdAt'], messageListLacks: ['template', 'payload'] });
    const { data: events } = await list('/v1/notifications');
    expect(events).toEqual([expect.objectContaining({ _id: id, updatedAt: expect.any(String) })]);
    expect(events).toEqual([expect.not.objectContaining({ jobs: expect.anything(), createdAt: expect.anything() })]);
    const { data: messages } = await list('/v1/messages?limit=1');
    expect(messages).toEqual([
      expect.not.objectContaining({ template: expect.anything(), payload: expect.anything() }),
    ]);
    expect((await list(`/v1/notifications/${id}`)).data).toEqual(service.world.event(id));
  });

  test('refuses a `limit` of messages above its own maximum', async () => {
    service.behave({ messageLimit: 100 });
    expect((await service.get('/v1/messages?limit=100')).status).toBe(200);
    expect(await service.get('/v1/messages?limit=101')).toMatchObject({
      status: 400,
      body: { message: 'Limit can not be larger then 100' },
    });
  });

  test('appends each device token once, and removes all when an update has none', async () => {
    service.behave({ deviceTokens: 'appended' });
    const path = '/v1/subscribers/user-1/credentials';
    const update = (credentials: object) => service.patch(path, { providerId: 'fcm', credentials });
    await update({ deviceTokens: ['one'] });
    await update({ deviceTokens: ['one', 'two'] });
    const stored = () => service.world.subscriber('user-1').channels[0]?.credentials;
    expect(stored()).toEqual({ deviceTokens: ['one', 'two'] });
    await update({});
    expect(stored()).toEqual({ deviceTokens: [] });
  });

  test('stores only three of the eight credentials', async () => {
    service.behave({ credentials: 'three' });
    const kept = { webhookUrl: 'https://chat.example/hook', channel: 'alerts', deviceTokens: ['one'] };
    const credentials = { ...kept, alertUid: 'a', title: 't', imageUrl: 'i', state: 's', externalUrl: 'e' };
    await service.patch('/v1/subscribers/user-1/credentials', { providerId: 'slack', credentials });
    expect(service.world.subscriber('user-1').channels[0]?.credentials).toEqual(kept);
  });
});
