import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PEOPLE } from '../../../sandbox/slack/seed.ts';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf, startSlack } from '../../../sandbox/slack/testing.ts';
import type { Workspace } from '../../use-cases/ports/workspace.ts';
import { createWorkspace } from './workspace.ts';

describe('the workspace', () => {
  let slack: LocalSlack;
  let workspace: Workspace;
  let now = 0;
  beforeAll(async () => {
    slack = await startSlack({ people: [...PEOPLE, { id: 'U0FAR', name: 'far', timeZone: 'Mars/Olympus' }] });
    workspace = createWorkspace({ client: clientOf(slack), now: () => new Date(now) });
  });
  afterAll(() => slack.close());

  test("returns people's time zones, and null without one", async () => {
    expect(await workspace.person('U0ANN')).toEqual({ timeZone: 'Europe/Berlin' });
    expect(await workspace.person('U0FAR')).toEqual({ timeZone: null });
    expect(await workspace.person('U0NOBODY')).toBeNull();
  });

  test('has the user groups, requested at most once a minute', async () => {
    expect(await workspace.userGroups()).toEqual([{ id: 'S0ONCALL', handle: 'oncall' }]);
    slack.faults.next('usergroups.list', { kind: 'error', error: 'internal_error' });
    expect(await workspace.userGroups()).toHaveLength(1);
    now += 60_000;
    await expect(workspace.userGroups()).rejects.toThrow();
    expect(await workspace.userGroups()).toHaveLength(1);
  });
});
