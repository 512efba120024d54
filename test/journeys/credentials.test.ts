import { beforeEach, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/service/examples.ts';
import { openWorld, sharedWorld } from '../support/world.ts';

const TOKEN = 'device-token-of-anna-that-nobody-should-see-9f3c';

describe('credentials', () => {
  const world = sharedWorld(() =>
    openWorld({ environments: ['staging', 'production'], variables: { NOTIF_PRODUCTION_PROTECTED: 'true' } }),
  );
  beforeEach(() => world.service.requests.clear());

  const updates = () => world.service.requests.filter(({ operation }) => operation === 'updateCredentials');

  /** Fills in the form. */
  async function fillIn(provider: string, fields: Record<string, string>, line = 'user-1'): Promise<void> {
    const { ann } = world;
    await ann.types(`/notif credentials ${line}`);
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: provider, ...fields });
  }

  test('are sent as typed, and what is there before and afterwards is shown masked', async () => {
    const { ann, service } = world;
    const { _environmentId: environmentId } = service.world.plantEvent(failed());
    const integration = service.world.integrations.find(
      ({ providerId, _environmentId }) => providerId === 'fcm' && _environmentId === environmentId,
    )?.identifier;
    service.world.plantEvent(failed('email', { subscriber: 'user-3' }));
    const tokens = () => {
      const { channels } = service.world.subscriber('user-3');
      return channels.find((channel) => channel.integrationIdentifier === integration)?.credentials.deviceTokens;
    };
    const [old = ''] = tokens() ?? [];
    await fillIn('fcm', { 'Device tokens': TOKEN, Integration: integration ?? '' }, 'user-3');
    const form = ann.modal()?.words;
    expect(form).toMatch(/Device tokens stay, and yours are added:\n[\s\S]*fcm[\s\S]*deviceTokens: •••/);
    expect(form).not.toContain(old);
    expect(await ann.submits()).toEqual([]);
    const result = await ann.seesModal('✅ Credentials of user-3 for fcm updated in staging');
    expect(result.words).toContain('•••9f3c');
    expect(result.words).not.toContain(TOKEN);
    expect(updates()).toMatchObject([
      { body: { providerId: 'fcm', integrationIdentifier: integration, credentials: { deviceTokens: [TOKEN] } } },
    ]);
    expect(tokens()).toEqual([old, TOKEN]);
  });

  test('are sent to a protected environment only after its name is typed', async () => {
    const { ann } = world;
    await fillIn('fcm', { 'Device tokens': TOKEN }, 'user-1 env:production');
    await ann.fillsIn({ 'Type production to confirm': 'staging' });
    expect(await ann.submits()).toEqual(['Type production to confirm.']);
    await ann.fillsIn({ 'Type production to confirm': 'Production' });
    await ann.submits();
    await ann.seesModal('updated in production');
  });

  test('stay in their fields when the service refuses them, with its reason', async () => {
    const { ann, service } = world;
    const body = JSON.stringify({ statusCode: 422, message: ['each value in deviceTokens must be registered'] });
    service.faults.set('updateCredentials', { kind: 'body', status: 422, body }, { times: 1 });
    await fillIn('fcm', { 'Device tokens': TOKEN });
    await ann.submits();
    const refused = await ann.seesModal('each value in deviceTokens must be registered');
    expect(refused.words).toContain("Couldn't update the credentials in staging: it refused the request (422)");
    await ann.submits();
    await ann.seesModal('updated in staging');
    expect(new Set(updates().map(({ key }) => key)).size).toBe(2);
  });

  test("are reported as unknown when the service's answer was lost", async () => {
    const { ann, service } = world;
    service.faults.set('updateCredentials', { kind: 'lost answer' }, { times: 1 });
    await fillIn('fcm', { 'Device tokens': TOKEN });
    await ann.submits();
    await ann.seesModal("may or may not have gone through. Notif doesn't resend the credentials of user-1.");
    expect(updates()).toHaveLength(1);
  });

  test('of a deleted subscriber are taken, and the answer says that nothing is sent there', async () => {
    const { ann, service } = world;
    service.world.subscriber('gone-1').deleted = true;
    await fillIn('fcm', { 'Device tokens': TOKEN }, 'gone-1');
    await ann.submits();
    await ann.seesModal('but gone-1 is deleted: nothing is sent to it');
    await ann.closes();
  });

  test('are refused for an unknown, missing or second subscriber', async () => {
    const { ann } = world;
    await fillIn('fcm', { 'Device tokens': TOKEN }, 'nobody-of-this-name');
    expect(ann.modal()?.words).toContain('staging knows no subscriber with this ID.');
    await ann.submits();
    await ann.seesModal('SubscriberId: nobody-of-this-name not found');
    await ann.closes();
    for (const words of ['', ' a b', ' a•••@example.com'])
      expect((await ann.asks(`/notif credentials${words}`)).words).toContain('Name one subscriber, unmasked.');
  });
});
