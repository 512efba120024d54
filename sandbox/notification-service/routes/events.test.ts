import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivered, failed, topicFanOut, unknownWords, unreadable, withoutId } from '../examples.ts';
import { idsOnPage, noon, type QuietService, startQuietService } from '../testing.ts';

let service: QuietService;
beforeAll(async () => {
  service = await startQuietService();
});
afterAll(() => service.close());

const minute = 60_000;
const time = (ms: number) => new Date(ms).toISOString();
const list = async (query: string) => (await service.get(`/v1/notifications?${query}`)).body;
const idsOf = async (query: string) => idsOnPage(await list(query));

describe('the event list', () => {
  it('shows the newest first, ten on a page', async () => {
    const tx = 'txn-order';
    const planted = Array.from({ length: 12 }, (_, index) =>
      service.world.plantEvent(delivered({ transactionId: tx, createdAt: noon - index * minute })),
    );
    const first = await list(`transactionId=${tx}`);
    expect(first).toMatchObject({ hasMore: true, pageSize: 10, page: 0 });
    expect(await idsOf(`transactionId=${tx}`)).toEqual(planted.slice(0, 10).map(({ _id }) => _id));
    expect(await list(`transactionId=${tx}&page=1`)).toMatchObject({ hasMore: false, page: 1 });
    expect(await idsOf(`transactionId=${tx}&page=1`)).toEqual(planted.slice(10).map(({ _id }) => _id));
  });

  it('says that there is more whenever a page is full, so the last page can be empty', async () => {
    for (const plan of topicFanOut(4)) service.world.plantEvent(plan);
    expect(await list('transactionId=txn-fan-out&limit=4')).toMatchObject({ hasMore: true });
    expect(await list('transactionId=txn-fan-out&limit=4&page=1')).toMatchObject({ hasMore: false, data: [] });
  });

  it('includes both ends of a span', async () => {
    const at = noon - 60 * minute;
    const ids = [0, 1, 2].map((ms) => service.world.plantEvent(delivered({ createdAt: at + ms }))._id);
    expect(await idsOf(`after=${time(at)}&before=${time(at + 1)}`)).toEqual([ids[1], ids[0]]);
    expect(await idsOf(`after=${time(at + 2)}&before=${time(at + 2)}`)).toEqual([ids[2]]);
  });

  it.each([
    ['channels', (id: string) => `channels=${id === 'match' ? 'push&channels=chat' : 'digest'}`],
    ['severity', (id: string) => `severity=${id === 'match' ? 'medium' : 'low'}`],
    ['subscribers', (id: string) => `subscriberIds=${id === 'match' ? 'user-77&subscriberIds=x' : 'user-7'}`],
    ['e-mail addresses', (id: string) => `emails=${id === 'match' ? 'seven@example.org' : 'SEVEN@example.org'}`],
    ['search', (id: string) => `search=${id === 'match' ? 'even@exam' : 'user-7'}`],
    ['topic', (id: string) => `topicKey=${id === 'match' ? 'vip' : 'vi'}`],
    ['context', (id: string) => `contextKeys=b:2${id === 'match' ? '&contextKeys=a:1' : ''}`],
  ])('filters by %s', async (_, query) => {
    Object.assign(service.world.subscriber('user-77'), { email: 'seven@example.org' });
    const { _id } = service.world.plantEvent(
      failed('push', { subscriber: 'user-77', severity: 'medium', topics: ['vip'], contextKeys: ['a:1', 'b:2'] }),
    );
    expect(await idsOf(`${query('match')}&limit=50`)).toContain(_id);
    expect(await idsOf(`${query('other')}&limit=50`)).not.toContain(_id);
  });

  it('filters by workflows, which it knows by their database ids only', async () => {
    const { _id, _templateId } = service.world.plantEvent(delivered({ workflow: 'password-reset' }));
    expect(await idsOf(`templates=${_templateId}`)).toEqual([_id]);
    expect(await idsOf('templates=password-reset')).toEqual([]);
  });

  it('answers an unknown subscriber with an empty page', async () => {
    expect(await list('subscriberIds=nobody-at-all')).toMatchObject({ data: [], hasMore: false });
  });

  it('shows odd items as they are: unreadable, without an id, in unknown words', async () => {
    const tx = 'txn-odd';
    service.world.plantEvent({ ...unreadable({ nonsense: true }), transactionId: tx });
    service.world.plantEvent(withoutId({ transactionId: tx }));
    service.world.plantEvent(unknownWords({ transactionId: tx }));
    const { data } = await list(`transactionId=${tx}`);
    expect(data).toContainEqual({ nonsense: true });
    expect(data).toContainEqual(expect.not.objectContaining({ _id: expect.anything() }));
    expect(data).toContainEqual(expect.objectContaining({ severity: 'catastrophic' }));
  });

  it.each([
    ['limit=51', 'limit', 'limit must not be greater than 50', '51'],
    ['limit=0', 'limit', 'limit must not be less than 1', '0'],
    ['limit=ten', 'limit', expect.any(String), 'ten'],
    ['page=-1', 'page', 'page must not be less than 0', '-1'],
    ['page=1.5', 'page', 'page must be an integer number', '1.5'],
    ['workflow=x', 'workflow', 'property workflow should not exist', 'x'],
  ])('refuses ?%s with 422 and names the field', async (query, field, message, value) => {
    const { status, body } = await service.get(`/v1/notifications?${query}`);
    expect(status).toBe(422);
    expect(body).toEqual({
      statusCode: 422,
      timestamp: expect.any(String),
      path: `/v1/notifications?${query}`,
      message: 'Validation Error',
      errors: { [field]: { messages: [message], value } },
    });
  });
});

describe('one event', () => {
  it('is retrieved in an envelope, as it is now', async () => {
    const { _id } = service.world.plantEvent(delivered());
    service.world.updateEvent(_id, { severity: 'high' });
    service.world.addLateDetail(_id, 1, { detail: 'Message bounced', status: 'Failed', source: 'Webhook' });
    const { status, body } = await service.get(`/v1/notifications/${_id}`);
    expect(status).toBe(200);
    expect(body.data).toEqual(service.world.event(_id));
    expect(service.world.event(_id).jobs[1]?.executionDetails.at(-1)).toMatchObject({
      source: 'Webhook',
      createdAt: time(noon),
    });
  });

  it('answers 404 for an id that no event has', async () => {
    const { status, body } = await service.get('/v1/notifications/65f0c0ffee65f0c0ffee65f0');
    expect(status).toBe(404);
    expect(body.message).toBe('Notification with id 65f0c0ffee65f0c0ffee65f0 not found');
  });

  it('answers 422 for what is no id', async () => {
    const { status, body } = await service.get('/v1/notifications/order-1');
    expect(status).toBe(422);
    expect(body.errors).toEqual({
      notificationId: { messages: ['notificationId must be a mongodb id'], value: 'order-1' },
    });
  });
});
