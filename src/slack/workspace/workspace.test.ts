import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, startSlack } from '../../../sandbox/slack/local-slack.testing.ts';
import { BOT, PEOPLE } from '../../../sandbox/slack/seed.ts';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { silent } from '../../lib/logger.testing.ts';
import { sleep } from '../../lib/time/waiting.ts';
import { createWorkspace } from './workspace.ts';

describe('the workspace', () => {
  let slack: LocalSlack;
  let workspace: ReturnType<typeof createWorkspace>;
  let now = 0;
  beforeAll(async () => {
    slack = await startSlack({ people: [...PEOPLE, { id: 'U0FAR', name: 'far', timeZone: 'Mars/Olympus' }] });
    const asking = { client: clientOf(slack), logger: silent, now: () => new Date(now), sleep };
    workspace = createWorkspace({ ...asking, noteIdentity: async () => {} });
  });
  afterAll(() => slack.close());

  test("returns people's time zones, and null without one or if Slack doesn't respond", async () => {
    expect(await workspace.timeZoneOf('U0ANN')).toBe('Europe/Berlin');
    expect(await workspace.timeZoneOf('U0FAR')).toBeNull();
    expect(await workspace.timeZoneOf('U0NOBODY')).toBeNull();
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    expect(await workspace.timeZoneOf('U0BEN')).toBeNull();
  });

  test("returns the names of people and handles of user groups, without those that Slack doesn't give", async () => {
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    expect((await workspace.namesOf(['U0GUS'])).size).toBe(0);
    expect([...(await workspace.namesOf(['U0ANN', 'U0NOBODY', 'S0ONCALL', 'S0GONE']))]).toEqual([
      ['U0ANN', 'ann'],
      ['S0ONCALL', '@oncall'],
    ]);
  });

  test('says who has an account, unless Slack fails', async () => {
    expect(await workspace.isActive('U0ANN')).toBe(true);
    for (const userId of ['U0NOBODY', BOT.userId]) expect(await workspace.isActive(userId)).toBe(false);
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    await expect(workspace.isActive('U0SAM')).rejects.toThrow('internal_error');
  });

  test('has the user groups, requested at most once a minute', async () => {
    expect(await workspace.userGroups()).toEqual([{ id: 'S0ONCALL', handle: 'oncall' }]);
    slack.faults.next('usergroups.list', { kind: 'error', error: 'internal_error' });
    expect(await workspace.userGroups()).toHaveLength(1);
    now += 60_000;
    expect(await workspace.userGroups()).toHaveLength(1);
    slack.faults.clear();
  });

  test("has the members of a user group, and Slack's refusal to say them", async () => {
    expect(await workspace.membersOf('S0ONCALL')).toMatchObject({ members: ['U0ANN'] });
    slack.faults.next('usergroups.users.list', { kind: 'error', error: 'missing_scope' });
    await expect(workspace.membersOf('S0OTHER')).rejects.toThrow('missing_scope');
    const requests = () => slack.calls.of('usergroups.users.list').length;
    const before = requests();
    for (const _ of [1, 2]) expect(await workspace.membersNow('S0ONCALL')).toMatchObject({ members: ['U0ANN'] });
    expect(await workspace.membersOf('S0ONCALL')).toMatchObject({ members: ['U0ANN'] });
    expect(requests() - before).toBe(2);
  });
});
