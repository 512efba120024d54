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
    const groups = createUserGroups({ client: clientOf(slack), now: () => new Date(now) });
    slack.calls.clear();
    const passes = (minutes: number) => {
      now += minutes * 60_000;
    };
    return { groups, passes, asked: () => slack.calls.of('usergroups.users.list').length };
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
});
