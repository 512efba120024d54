import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf, startSlack } from '../../../sandbox/slack/testing.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Workspace } from '../../use-cases/workspace.ts';
import { createWorkspace } from './workspace.ts';

const quiet: Logger = { debug() {}, info() {}, warn() {}, error() {} };

describe('the workspace', () => {
  let slack: LocalSlack;
  let workspace: Workspace;
  let now = 0;
  beforeAll(async () => {
    slack = await startSlack();
    workspace = createWorkspace({ client: clientOf(slack), logger: quiet, now: () => new Date(now) });
  });
  afterAll(() => slack.close());

  it('tells the time zone of people, and nobody where there is none', async () => {
    expect(await workspace.person('U0ANN')).toEqual({ timeZone: 'Europe/Berlin' });
    expect(await workspace.person('U0NOBODY')).toBeNull();
  });

  it('has the user groups, asked for at most once a minute', async () => {
    expect(await workspace.userGroups()).toEqual([{ id: 'S0ONCALL', handle: 'oncall' }]);
    slack.faults.next('usergroups.list', { kind: 'error', error: 'internal_error' });
    expect(await workspace.userGroups()).toHaveLength(1);
    now += 60_000;
    await expect(workspace.userGroups()).rejects.toThrow();
    expect(await workspace.userGroups()).toHaveLength(1);
  });

  it('tells whether Notif can post in a channel', async () => {
    expect(await workspace.isIn('C0ONCALL')).toBe(true);
    expect(await workspace.isIn('C0QUIET')).toBe(false);
    expect(await workspace.isIn('C0NOWHERE')).toBe(false);
  });

  it('does not tell where it may not ask', async () => {
    slack.faults.next('conversations.info', { kind: 'error', error: 'missing_scope' });
    expect(await workspace.isIn('C0ONCALL')).toBeNull();
  });
});
