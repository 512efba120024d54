import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { botOf, clientOf, refusalOf, startSlack } from './local-slack.testing.ts';
import { CHANNELS, ENTERPRISE, PEOPLE, type SeedChannel, type SeedPerson } from './seed.ts';
import type { LocalSlack } from './server.ts';

const MEMBERS = ['U0ANN', 'U0BOT'];
const ODD_CHANNELS: readonly SeedChannel[] = [
  { id: 'C0PENDING', name: 'pending', isPendingShared: true, members: MEMBERS },
  { id: 'C0GROUP', name: 'mpdm-ann--ben--notif-1', kind: 'group', members: [...MEMBERS, 'U0BEN'] },
];

describe('conversations of every type', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    slack = await startSlack({ channels: [...CHANNELS, ...ODD_CHANNELS] });
    slack.workspace.grant('im:read', 'mpim:read', 'mpim:history');
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const info = async (channel: string) => (await client.conversations.info({ channel })).channel;

  test('say whether they are shared with another organization or will be', async () => {
    expect(await info('C0ONCALL')).toMatchObject({ is_shared: false, is_ext_shared: false });
    expect(await info('C0PARTNER')).toMatchObject({ is_shared: true, is_ext_shared: true });
    const pending = { is_ext_shared: false, is_pending_ext_shared: true };
    expect(await info('C0PENDING')).toMatchObject(pending);
  });

  test('require the scope of a group message', async () => {
    slack.workspace.revoke('mpim:read', 'mpim:history');
    const asked = client.conversations.info({ channel: 'C0GROUP' });
    expect(await refusalOf(asked)).toMatchObject({ error: 'missing_scope', needed: 'mpim:read' });
    const read = client.conversations.history({ channel: 'C0GROUP' });
    expect(await refusalOf(read)).toMatchObject({ error: 'missing_scope', needed: 'mpim:history' });
  });
});

describe('people of every kind', () => {
  const people: readonly SeedPerson[] = [
    ...PEOPLE,
    { id: 'U0NEMO', name: 'nemo', isNameless: true, timeZone: null },
    { id: 'W0GRACE', name: 'grace', teamId: 'T0SISTER', enterpriseId: ENTERPRISE.id },
  ];
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    const channels = [{ id: 'C0ORG', name: 'org', members: ['U0ANN', 'U0NEMO', 'W0GRACE', 'U0BOT'] }];
    slack = await startSlack({ people, channels, isInEnterprise: true });
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  test('have the organization of several workspaces, whose people are members', async () => {
    expect(await client.auth.test()).toMatchObject({ enterprise_id: 'E0SANDBOX', is_enterprise_install: false });
    const { user } = await client.users.info({ user: 'W0GRACE' });
    expect(user).toMatchObject({ team_id: 'T0SISTER', enterprise_user: { enterprise_id: 'E0SANDBOX' } });
    expect((await client.conversations.info({ channel: 'C0ORG' })).channel).toMatchObject({ is_ext_shared: false });
  });

  test('have the organization in every payload', async () => {
    const bodies: unknown[] = [];
    const app = botOf(slack);
    app.use(async ({ body, next }) => {
      bodies.push(body);
      await next();
    });
    app.command(/.*/, ({ ack }) => ack());
    app.shortcut(/.*/, ({ ack }) => ack());
    await app.start();
    const nemo = slack.workspace.as('U0NEMO');
    await nemo.types('C0ORG', '/notif help');
    await nemo.choosesShortcut('find_notification');
    await nemo.says('C0ORG', '@Notif hello');
    await app.stop();
    const [command, shortcut, event] = bodies;
    expect(command).toMatchObject({ enterprise_id: 'E0SANDBOX', is_enterprise_install: 'false', user_id: 'U0NEMO' });
    expect(shortcut).toMatchObject({ enterprise: { id: 'E0SANDBOX' }, user: { id: 'U0NEMO', team_id: 'T0SANDBOX' } });
    expect(event).toMatchObject({ authorizations: [{ enterprise_id: 'E0SANDBOX' }] });
  });
});
