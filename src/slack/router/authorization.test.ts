import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientOf } from '../../../sandbox/slack/local-slack.testing.ts';
import { type LocalSlack, startLocalSlack } from '../../../sandbox/slack/server.ts';
import { NotAuthorizedError, NotOperatorError, PersonUnknownError } from '../../lib/errors.ts';
import { silent } from '../../lib/logger.testing.ts';
import { sleep } from '../../lib/time/waiting.ts';
import { parseOperators } from '../../lib/workspace.ts';
import type { HomeTeam } from '../connection/connection.ts';
import { createWorkspace } from '../workspace/workspace.ts';
import { createAccessControl, type GuestPolicy } from './authorization.ts';

describe('access control', () => {
  let slack: LocalSlack;
  let now: number;

  beforeAll(async () => {
    slack = await startLocalSlack({ manifestFile: 'manifest.yml', now: () => now });
  });
  afterAll(() => slack.close());
  beforeEach(() => {
    now = Date.parse('2026-11-20T12:00:00Z');
    slack.faults.clear();
    slack.calls.clear();
  });

  function accessControl(
    guests: GuestPolicy = 'refuse',
    home: HomeTeam = { teamId: 'T0SANDBOX', enterpriseId: null },
    operators = '*',
  ) {
    const asking = { client: clientOf(slack), logger: silent, now: () => new Date(now), sleep };
    const people = createWorkspace({ ...asking, noteIdentity: async () => {} });
    const membersOf = async (id: string) =>
      id === 'S1' ? { members: ['U0BEN'], asOf: new Date(now) } : Promise.reject(new PersonUnknownError('ratelimited'));
    const ctx = { operators: parseOperators(operators), logger: silent };
    return createAccessControl(ctx, { ...people, membersOf, membersNow: membersOf }, guests, () => home);
  }

  test('allows members everything', async () => {
    await accessControl().authorize('U0ANN', 'everyone');
    await accessControl().authorize('U0ANN', 'members');
    await accessControl().authorize('U0ANN', 'operators');
  });

  test.each(['U0BEN', 'S1', 'S0,S1'])('takes U0BEN for an operator with NOTIF_OPERATORS=%s', async (operators) => {
    await accessControl('refuse', undefined, operators).authorize('U0BEN', 'operators');
  });

  test.each(['', 'U0BEN,S1'])('takes U0ANN for no operator with NOTIF_OPERATORS=%s', async (operators) => {
    const refusal = accessControl('refuse', undefined, operators).authorize('U0ANN', 'operators');
    await expect(refusal).rejects.toBeInstanceOf(NotOperatorError);
  });

  test.each(['U0GUS', 'U0SAM'])('never treats %s as an operator, whatever NOTIF_OPERATORS says', async (userId) => {
    await expect(accessControl('allow').authorize(userId, 'operators')).rejects.toBeInstanceOf(NotAuthorizedError);
    expect(await accessControl('allow').canUse(userId, 'operators')).toBe(false);
    expect(await accessControl('allow').canUse(userId, 'everyone')).toBe(true);
  });

  test.each(['U9', 'S1'])('asks Slack who somebody is that %s lists by an ID of another workspace', async (listed) => {
    const user = async (id: string) => ({ id, team_id: 'T0SANDBOX', enterprise_user: { id: 'W9' } });
    const membersOf = async () => ({ members: ['U9'], asOf: new Date(now) });
    const people = { user, membersOf, membersNow: membersOf };
    const home = { teamId: 'T0SANDBOX', enterpriseId: null };
    const ctx = { operators: parseOperators(listed), logger: silent };
    await createAccessControl(ctx, people, 'refuse', () => home).authorize('W9', 'operators');
  });

  test("doesn't treat a failed call to Slack as a no", async () => {
    const noAnswer = accessControl('refuse', undefined, 'S0ONCALL');
    expect(await noAnswer.canUse('U0ANN', 'operators')).toBe(true);
    await expect(noAnswer.authorize('U0ANN', 'operators')).rejects.toMatchObject({
      name: 'PersonUnknownError',
      reason: 'ratelimited',
    });
    expect(await noAnswer.canUse('U0ANN', 'members')).toBe(true);
    const no = accessControl('refuse', undefined, 'U0BEN');
    expect(await no.canUse('U0ANN', 'operators')).toBe(false);
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    expect(await accessControl().canUse('U0ANN', 'members')).toBe(true);
  });

  test.each([
    ['U0GUS', 'Guests'],
    ['U0SAM', 'People from other organizations'],
  ])('refuses %s, of the %s, unless guests can look things up', async (userId, who) => {
    await expect(accessControl().authorize(userId, 'everyone')).rejects.toThrow(`${who} can't use Notif`);
    await expect(accessControl().authorize(userId, 'members')).rejects.toBeInstanceOf(NotAuthorizedError);
    await accessControl('allow').authorize(userId, 'everyone');
    await expect(accessControl('allow').authorize(userId, 'members')).rejects.toThrow(`${who} can only look`);
  });

  test('counts neither a bot nor a deactivated account as a member or a guest', async () => {
    slack.workspace.deactivate('U0BEN');
    for (const id of ['U0BOT', 'U0BEN'])
      for (const guests of ['refuse', 'allow'] as const)
        expect(await accessControl(guests).canUse(id, 'everyone')).toBe(false);
  });

  test("treats everybody as a stranger if it doesn't know its own workspace", async () => {
    const lost = accessControl('refuse', { teamId: null, enterpriseId: null });
    await expect(lost.authorize('U0ANN', 'everyone')).rejects.toThrow('People from other organizations');
  });

  test('refuses a person whom Slack has never described, and asks again the next time', async () => {
    const { authorize } = accessControl();
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    await expect(authorize('U0ANN', 'everyone')).rejects.toBeInstanceOf(PersonUnknownError);
    await authorize('U0ANN', 'everyone');
  });
});
