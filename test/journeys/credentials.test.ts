import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failed } from '../../sandbox/notification-service/examples.ts';
import type { ShownModal } from '../support/person.ts';
import { openWorld, type World } from '../support/world.ts';

const TOKEN = 'device-token-of-anna-that-nobody-should-see-9f3c';
const WEBHOOK = 'https://hooks.chat.example/services/T1/B2/typed-by-hand-x9y8z7';

describe('credentials', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({
      environments: ['staging', 'production'],
      variables: { NOTIF_PRODUCTION_PROTECTED: 'true' },
    });
  });
  beforeEach(() => world.service.requests.clear());
  afterAll(() => world.close());

  const updates = () => world.service.requests.filter(({ operation }) => operation === 'updateCredentials');

  /** Fills in the first step and checks the input. */
  async function check(provider: string, fields: Record<string, string>, line = 'user-1'): Promise<ShownModal> {
    const { ann } = world;
    await ann.types(`/notif credentials ${line}`);
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: provider });
    await ann.seesModal('stored nowhere else');
    await ann.fillsIn(fields);
    expect(await ann.submits()).toEqual([]);
    return ann.seesModal('is shown again before it is sent');
  }

  test('are shown masked before they are sent, with what the service holds afterwards', async () => {
    const { ann, service } = world;
    const shown = await check('fcm', { 'Device tokens': TOKEN });
    expect(shown.words).toContain('Update fcm of user-1 in staging?');
    expect(shown.words).toContain('Device tokens: •••9f3c');
    expect(updates()).toEqual([]);
    await ann.submits();
    const result = await ann.seesModal('✅ Credentials of user-1 for fcm updated in staging');
    expect(result.words).toContain('•••9f3c');
    expect(result.words).not.toContain(TOKEN);
    expect(updates()).toMatchObject([{ body: { providerId: 'fcm', credentials: { deviceTokens: [TOKEN] } } }]);
    const held = service.world.subscriber('user-1').channels.find(({ providerId }) => providerId === 'fcm');
    expect(held?.credentials.deviceTokens).toContain(TOKEN);
  });

  test("are requested with the provider's fields, and go to the chosen integration", async () => {
    const { ann, service } = world;
    const { _environmentId: own } = service.world.plantEvent(failed());
    const foreign = service.world.integrations.find(
      ({ providerId, _environmentId }) => providerId === 'slack' && _environmentId !== own,
    );
    const known = service.world.integrations.find(({ providerId }) => providerId === 'slack')?.identifier ?? '';
    await ann.types('/notif credentials user-2');
    await ann.seesModal('What has to be filled in depends on the provider.');
    await ann.fillsIn({ Provider: 'grafana-on-call' });
    for (const label of ['Webhook URL', 'Alert UID', 'Title', 'Image URL', 'State', 'External URL']) {
      expect((await ann.seesModal('Alert UID')).words).toContain(label);
    }
    await ann.fillsIn({ Provider: 'slack' });
    await ann.seesModal('As you got it from the chat provider.');
    expect(await ann.isOffered('credentials.integration', known.slice(0, 8))).toContain(`${known} · Slack`);
    expect(await ann.isOffered('credentials.integration', '')).not.toContain(`${foreign?.identifier} · Slack`);
    await ann.fillsIn({ 'Webhook URL': WEBHOOK, Integration: known });
    await ann.submits();
    await ann.seesModal(`Update slack, integration ${known} of user-2 in staging?`);
    await ann.submits();
    await ann.seesModal('updated in staging');
    expect(updates()).toMatchObject([
      { body: { providerId: 'slack', integrationIdentifier: known, credentials: { webhookUrl: WEBHOOK } } },
    ]);
  });

  test("show the chosen provider's fields if those of another one were submitted", async () => {
    const { ann, slack, log } = world;
    await ann.types('/notif credentials user-3');
    await ann.seesModal('What has to be filled in depends on the provider.');
    await ann.fillsIn({ Provider: 'fcm' });
    await ann.seesModal('stored nowhere else');
    await ann.fillsIn({ 'Device tokens': TOKEN });
    slack.faults.next('views.update', { kind: 'error', error: 'internal_error' });
    await ann.fillsIn({ Provider: 'slack' });
    await log.until('a form could not be drawn again');
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('As you got it from the chat provider.');
    await ann.fillsIn({ 'Webhook URL': WEBHOOK });
    expect(await ann.submits()).toEqual([]);
    await ann.seesModal('Update slack of user-3 in staging?');
    await ann.closesAll();
  });

  test.each([
    ['slack', { 'Webhook URL': 'hooks.chat.example' }, 'This is no web address.'],
    ['fcm', { 'Device tokens': 'one\ntwo three' }, 'Token 2 has a blank in it'],
    ['mattermost', {}, 'nothing is filled in yet'],
  ])('report an error under its field: %s %j', async (provider, fields, error) => {
    const { ann } = world;
    await ann.types('/notif credentials user-1');
    await ann.seesModal('New credentials of');
    await ann.fillsIn({ Provider: provider });
    await ann.seesModal('stored nowhere else');
    await ann.fillsIn(fields);
    expect(await ann.submits()).toEqual([expect.stringContaining(error)]);
  });

  test('lose all device tokens when that is ticked and confirmed', async () => {
    const { ann } = world;
    const shown = await check('fcm', { Or: 'Remove all device tokens' });
    expect(shown.words).toContain('All that the subscriber has for this provider are removed.');
    expect(updates()).toEqual([]);
    await ann.submits();
    await ann.seesModal('updated in staging');
    expect(updates()).toMatchObject([{ body: { providerId: 'fcm', credentials: { deviceTokens: [] } } }]);
  });

  test('are shown again if they were changed after the preview', async () => {
    const { ann } = world;
    await check('fcm', { 'Device tokens': TOKEN });
    await ann.fillsIn({ 'Device tokens': `${TOKEN}\nanother-device-token-77aa` });
    await ann.submits();
    await ann.seesModal('Device tokens (2): •••9f3c, •••77aa');
    expect(updates()).toEqual([]);
    await ann.submits();
    await ann.seesModal('updated in staging');
    expect(updates()).toMatchObject([
      { body: { credentials: { deviceTokens: [TOKEN, 'another-device-token-77aa'] } } },
    ]);
  });

  test('are sent to a protected environment only after its name is typed', async () => {
    const { ann } = world;
    const shown = await check('fcm', { 'Device tokens': TOKEN }, 'user-1 env:production');
    expect(shown.words).toContain('in production, which is protected?');
    await ann.fillsIn({ 'Type production to confirm': 'staging' });
    expect(await ann.submits()).toEqual(['This is not production. Type it exactly as in the label.']);
    await ann.fillsIn({ 'Type production to confirm': 'Production' });
    await ann.submits();
    await ann.seesModal('updated in production');
  });

  test('are sent once, however often the form is submitted', async () => {
    const { ann, service, slack } = world;
    await check('fcm', { 'Device tokens': TOKEN });
    service.faults.set('updateCredentials', { kind: 'slow', ms: 300 }, { times: 1 });
    await Promise.all([ann.submits(), ann.submits()]);
    slack.faults.redeliverLast();
    await ann.sees('This was submitted already: nothing is sent twice.');
    await ann.seesModal('updated in staging');
    expect(updates()).toHaveLength(1);
  });

  test('stay in their fields when the service refuses them, with its reason', async () => {
    const { ann, service } = world;
    const body = JSON.stringify({
      statusCode: 422,
      message: ['each value in deviceTokens must be registered'],
      errors: { 'credentials.deviceTokens.0': { messages: ['not registered'], value: TOKEN } },
    });
    service.faults.set('updateCredentials', { kind: 'words', status: 422, body }, { times: 1 });
    await check('fcm', { 'Device tokens': TOKEN });
    await ann.submits();
    const refused = await ann.seesModal('The service says: each value in deviceTokens must be registered');
    expect(refused.words).toContain("Couldn't update the credentials in staging: it refused the request (422)");
    await ann.submits();
    await ann.seesModal('updated in staging');
    expect(new Set(updates().map(({ key }) => key)).size).toBe(2);
  });

  test("are reported as unknown when the service's answer was lost", async () => {
    const { ann, service } = world;
    service.faults.set('updateCredentials', { kind: 'lost answer' }, { times: 1 });
    await check('fcm', { 'Device tokens': TOKEN });
    await ann.submits();
    const { words } = await ann.seesModal(
      "may or may not have gone through. Notif doesn't resend the credentials of user-1.",
    );
    expect(words).toContain('No clear answer from staging: ');
    expect(updates()).toHaveLength(1);
  });

  test('are reported in the channel of the command if the modal was closed in the meantime', async () => {
    const { ann, service } = world;
    service.faults.set('updateCredentials', { kind: 'slow', ms: 500 }, { times: 1 });
    await check('fcm', { 'Device tokens': TOKEN });
    await ann.submits();
    await ann.closes();
    await ann.gets('✅ Credentials of user-1 for fcm updated in staging');
  });

  test('are refused for an unknown, missing or second subscriber', async () => {
    const { ann } = world;
    await check('fcm', { 'Device tokens': TOKEN }, 'nobody-of-this-name');
    await ann.submits();
    await ann.seesModal('Subscriber not found for id nobody-of-this-name');
    await ann.closes();
    expect((await ann.asks('/notif credentials')).words).toContain('Whose credentials? Name a subscriber.');
    expect((await ann.asks('/notif credentials a b')).words).toContain('One subscriber at a time.');
    const masked = (await ann.asks('/notif credentials a•••@example.com')).words;
    expect(masked).toContain('This ID has ••• in it, as masked ones do. Give the whole one.');
    expect(masked).toContain('For example: /notif credentials user-0042');
  });

  test("aren't requested from someone who isn't an operator", async () => {
    const { ben } = world;
    expect((await ben.asks('/notif credentials user-1')).words).toContain('Only operators can do this.');
    expect(ben.modal()).toBeUndefined();
  });
});
