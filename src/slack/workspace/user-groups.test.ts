import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf, startSlack } from '../../../sandbox/slack/testing.ts';
import { createUserGroups } from './user-groups.ts';

describe("a user group's members", () => {
  let slack: LocalSlack;
  beforeAll(async () => {
    slack = await startSlack();
  });
  afterAll(() => slack.close());

  function asking() {
    let now = 0;
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, warn: (_: object, text: string) => void warnings.push(text), error() {} };
    const groups = createUserGroups({
      client: clientOf(slack),
      logger,
      now: () => new Date(now),
      // Time passes when the test says so.
      sleep: (_ms, signal) =>
        Promise.race([
          tooLong.signal.aborted
            ? Promise.resolve()
            : new Promise<void>((resolve) => tooLong.signal.addEventListener('abort', () => resolve())),
          new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
        ]),
    });
    const tooLong = new AbortController();
    slack.calls.clear();
    slack.faults.clear();
    const passes = (minutes: number) => {
      now += minutes * 60_000;
    };
    return {
      groups,
      warnings,
      passes,
      takesTooLong: () => tooLong.abort(),
      asked: () => slack.calls.of('usergroups.users.list').length,
    };
  }

  test('are requested once in five minutes', async () => {
    const { groups, passes, asked } = asking();
    expect(await groups.membersOf('S0ONCALL')).toEqual(['U0ANN']);
    await groups.membersOf('S0ONCALL');
    expect(asked()).toBe(1);
    passes(5);
    await groups.membersOf('S0ONCALL');
    expect(asked()).toBe(2);
  });

  test('are requested again after a failure, which the caller gets', async () => {
    const { groups, asked } = asking();
    slack.faults.next('usergroups.users.list', { kind: 'error', error: 'missing_scope' });
    await expect(groups.membersOf('S0ONCALL')).rejects.toThrow('missing_scope');
    expect(await groups.membersOf('S0ONCALL')).toEqual(['U0ANN']);
    expect(asked()).toBe(2);
  });

  test("are those of Slack's last answer while it has a problem, and are requested again the next time", async () => {
    const { groups, warnings, passes, asked } = asking();
    await groups.membersOf('S0ONCALL');
    passes(5);
    slack.faults.next('usergroups.users.list', { kind: 'error', error: 'internal_error' });
    expect(await groups.membersOf('S0ONCALL')).toEqual(['U0ANN']);
    expect(warnings).toEqual(['Slack did not say who is in a user group: what it said before holds']);
    await groups.membersOf('S0ONCALL');
    expect(asked()).toBe(3);
  });

  test("are those of Slack's last answer while a new one takes longer than a second", async () => {
    const { groups, passes, takesTooLong } = asking();
    await groups.membersOf('S0ONCALL');
    passes(5);
    slack.faults.always('usergroups.users.list', { kind: 'hang', when: 'before' });
    takesTooLong();
    expect(await groups.membersOf('S0ONCALL')).toEqual(['U0ANN']);
  });

  test('are unknown if Slack refuses to say them, whatever it said before', async () => {
    const { groups, passes } = asking();
    await groups.membersOf('S0ONCALL');
    passes(5);
    slack.faults.next('usergroups.users.list', { kind: 'error', error: 'no_such_subteam' });
    await expect(groups.membersOf('S0ONCALL')).rejects.toThrow('no_such_subteam');
  });
});
