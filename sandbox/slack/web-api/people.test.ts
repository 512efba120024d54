import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, startSlack } from '../local-slack.testing.ts';
import { PEOPLE } from '../seed.ts';
import type { LocalSlack } from '../server.ts';

describe('people and user groups', () => {
  let slack: LocalSlack;
  let client: WebClient;
  beforeAll(async () => {
    const people = [
      ...PEOPLE,
      { id: 'U0OUT', name: 'otto', teamId: 'T0OTHER' },
      { id: 'U0IN', name: 'ines', teamId: 'T0OTHER' },
      { id: 'U0OLD', name: 'olga', realName: 'Olga' },
    ];
    const channels = [{ id: 'C0SHARED', name: 'shared', members: ['U0IN', 'U0OLD', 'U0BOT'] }];
    const userGroups = [{ id: 'S0ONCALL', handle: 'oncall', members: ['U0ANN', 'U0OLD'] }];
    slack = await startSlack({ people, channels, userGroups });
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const user = async (id: string) => (await client.users.info({ user: id })).user;

  test('are marked as guests, strangers or bots', async () => {
    expect(await user('U0GUS')).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
    expect(await user('U0OUT')).toMatchObject({ team_id: 'T0OTHER', is_stranger: true });
    expect(await user('U0IN')).not.toHaveProperty('is_stranger');
    expect(await user('U0BOT')).toMatchObject({ is_bot: true });
  });

  test('who are deactivated have no other details', async () => {
    slack.workspace.deactivate('U0OLD');
    expect(await user('U0OLD')).toMatchObject({ deleted: true, name: 'olga' });
    expect(await user('U0OLD')).not.toHaveProperty('tz');
    expect((await client.usergroups.users.list({ usergroup: 'S0ONCALL' })).users).toEqual(['U0ANN']);
    const typing = await slack.workspace.as('U0OLD').types('C0SHARED', 'still here');
    expect(typing).toMatchObject({ ok: false, error: 'account_inactive' });
  });
});
