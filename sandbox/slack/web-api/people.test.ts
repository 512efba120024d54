import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PEOPLE } from '../seed.ts';
import type { LocalSlack } from '../server.ts';
import { clientOf, refusalOf, startSlack } from '../testing.ts';

describe('people and user groups', () => {
  let slack: LocalSlack;
  let client: WebClient;
  let now = Date.UTC(2026, 0, 15);
  beforeAll(async () => {
    const people = [
      ...PEOPLE,
      { id: 'U0UNA', name: 'una', isSingleChannelGuest: true },
      { id: 'U0OUT', name: 'otto', teamId: 'T0OTHER' },
      { id: 'U0IN', name: 'ines', teamId: 'T0OTHER' },
      { id: 'U0OLD', name: 'olga', realName: 'Olga' },
    ];
    const channels = [{ id: 'C0SHARED', name: 'shared', members: ['U0IN', 'U0OLD', 'U0BOT'] }];
    const userGroups = [
      { id: 'S0ONCALL', handle: 'oncall', name: 'On call', members: ['U0ANN', 'U0OLD'] },
      { id: 'S0OLD', handle: 'old', members: [], isDisabled: true },
    ];
    slack = await startSlack({ people, channels, userGroups, now: () => now });
    slack.workspace.grant('users:read', 'usergroups:read');
    client = clientOf(slack);
  });
  afterAll(() => slack.close());

  const user = async (id: string) => (await client.users.info({ user: id })).user;

  test('have a name, a time zone and its current offset from UTC', async () => {
    expect(await user('U0ANN')).toMatchObject({
      team_id: 'T0SANDBOX',
      real_name: 'Ann Arbor',
      tz: 'Europe/Berlin',
      tz_offset: 3_600,
      tz_label: 'Central European Standard Time',
      deleted: false,
      is_bot: false,
      is_restricted: false,
      is_ultra_restricted: false,
    });
    now = Date.UTC(2026, 6, 15);
    expect(await user('U0ANN')).toMatchObject({ tz_offset: 7_200 });
    expect(await user('U0BEN')).toMatchObject({ tz: 'America/New_York', tz_offset: -14_400 });
  });

  test('are marked as guests, strangers or bots', async () => {
    expect(await user('U0GUS')).toMatchObject({ is_restricted: true, is_ultra_restricted: false });
    expect(await user('U0UNA')).toMatchObject({ is_restricted: true, is_ultra_restricted: true });
    expect(await user('U0OUT')).toMatchObject({ team_id: 'T0OTHER', is_stranger: true });
    expect(await user('U0IN')).not.toHaveProperty('is_stranger');
    expect(await user('U0BOT')).toMatchObject({ is_bot: true });
  });

  test('who are deactivated have no other details', async () => {
    await slack.workspace.deactivate('U0OLD');
    expect(await user('U0OLD')).toMatchObject({ deleted: true, name: 'olga' });
    expect(await user('U0OLD')).not.toHaveProperty('tz');
    expect((await client.usergroups.users.list({ usergroup: 'S0ONCALL' })).users).toEqual(['U0ANN']);
    const typing = await slack.workspace.as('U0OLD').types('C0SHARED', 'still here');
    expect(typing).toMatchObject({ ok: false, error: 'account_inactive' });
  });

  test('don’t include unknown people', async () => {
    expect(await refusalOf(client.users.info({ user: 'U0EVE' }))).toMatchObject({ error: 'user_not_found' });
  });

  test('include user groups with handles, and members on request', async () => {
    const { usergroups } = await client.usergroups.list();
    expect(usergroups).toMatchObject([{ id: 'S0ONCALL', handle: 'oncall', name: 'On call', date_delete: 0 }]);
    expect(usergroups?.[0]).not.toHaveProperty('users');
    const wholly = await client.usergroups.list({ include_users: true, include_count: true, include_disabled: true });
    expect(wholly.usergroups).toMatchObject([{ users: ['U0ANN', 'U0OLD'], user_count: 2 }, { handle: 'old' }]);
  });

  test('need scopes', async () => {
    slack.workspace.revoke('users:read', 'usergroups:read');
    expect(await refusalOf(client.users.info({ user: 'U0ANN' }))).toMatchObject({ needed: 'users:read' });
    expect(await refusalOf(client.usergroups.list())).toMatchObject({ needed: 'usergroups:read' });
  });
});
