import { beforeEach, describe, expect, test } from 'vitest';
import { type QuietService, startQuietService } from '../quiet.testing.ts';

let service: QuietService;
beforeEach(async () => {
  service = await startQuietService();
  return () => service.close();
});

const path = '/v1/subscribers/user-1/credentials';
const tokens = (...deviceTokens: string[]) => ({ providerId: 'fcm', credentials: { deviceTokens } });
const storedCredentials = () => service.world.subscriber('user-1').channels.map(({ credentials }) => credentials);

describe('a credentials update', () => {
  test('answers the subscriber with all stored credentials', async () => {
    const body = { providerId: 'slack', credentials: { webhookUrl: 'https://chat.example/hook' } };
    const { status, body: answer } = await service.patch(path, body);
    expect(status).toBe(200);
    expect(answer.data).toMatchObject({ subscriberId: 'user-1', __v: 1, channels: [{ providerId: 'slack' }] });
    expect(storedCredentials()).toEqual([{ webhookUrl: 'https://chat.example/hook' }]);
  });

  test('finds the integration by its identifier', async () => {
    const integration = service.world.integrations.find(({ providerId }) => providerId === 'fcm');
    const body = { ...tokens('one'), integrationIdentifier: integration?.identifier };
    expect(await service.patch(path, body)).toMatchObject({
      status: 200,
      body: { data: { channels: [{ _integrationId: integration?._id }] } },
    });
  });

  test('creates device tokens, and replaces existing ones', async () => {
    await service.patch(path, tokens('one'));
    await service.patch(path, tokens('two', 'three'));
    expect(storedCredentials()).toEqual([{ deviceTokens: ['two', 'three'] }]);
  });

  test.each([
    ['an unknown subscriber', '/v1/subscribers/stranger/credentials', tokens('one')],
    ['a provider without an active integration', path, { providerId: 'discord', credentials: {} }],
    ['an integration identifier that is not known', path, { ...tokens('one'), integrationIdentifier: 'elsewhere' }],
  ])('refuses %s with 400', async (_, address, body) => {
    expect(await service.patch(address, body)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test.each([
    [{ providerId: 'pigeon', credentials: {} }, 'providerId'],
    [{ providerId: 'fcm' }, 'credentials'],
    [{ credentials: {} }, 'providerId'],
    [{ ...tokens('one'), integrationIdentifier: 1 }, 'integrationIdentifier'],
    [{ providerId: 'fcm', credentials: { deviceTokens: 'one' } }, 'credentials.deviceTokens'],
    [{ providerId: 'fcm', credentials: { deviceTokens: [1] } }, 'credentials.deviceTokens.0'],
    [{ providerId: 'fcm', credentials: { deviceToken: 'one' } }, 'credentials.deviceToken'],
    [{ ...tokens('one'), subscriberId: 'user-1' }, 'subscriberId'],
  ])('refuses %j with 422 and names the field', async (body, field) => {
    expect(await service.patch(path, body)).toMatchObject({ status: 422, body: { errors: { [field]: {} } } });
  });
});
