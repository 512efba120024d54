import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../../sandbox/slack/server.ts';
import { clientOf } from '../../../sandbox/slack/testing.ts';
import type { GuestPolicy, HomeTeam } from '../../domain/access/membership.ts';
import { NotAdmittedError, NotOperatorError, StandingUnknownError } from '../../domain/errors.ts';
import { createAdmission } from './authorization.ts';

const MINUTE = 60_000;

describe('admission', () => {
  let slack: LocalSlack;
  let now: number;
  const warnings: string[] = [];

  beforeAll(async () => {
    slack = await startLocalSlack({ manifestFile: 'manifest.yml', now: () => now });
  });
  afterAll(() => slack.close());
  beforeEach(() => {
    now = Date.parse('2026-11-20T12:00:00Z');
    warnings.length = 0;
    slack.faults.clear();
    slack.calls.clear();
  });

  function admission(
    guests: GuestPolicy = 'refuse',
    home: HomeTeam = { teamId: 'T0SANDBOX', enterpriseId: null },
    requireOperator: (userId: string) => Promise<void> = async () => {},
  ) {
    const warn = (_fields: object, sentence: string) => void warnings.push(sentence);
    const logger = { debug() {}, info() {}, warn, error() {} };
    return createAdmission({
      client: clientOf(slack),
      homeTeam: () => home,
      guests,
      requireOperator,
      logger,
      now: () => new Date(now),
    });
  }

  it('admits members, whatever they want', async () => {
    await admission().admit('U0ANN', 'everyone');
    await admission().admit('U0ANN', 'members');
    await admission().admit('U0ANN', 'operators');
  });

  it.each(['U0GUS', 'U0SAM'])('takes %s for no operator, whatever NOTIF_OPERATORS says', async (userId) => {
    await expect(admission('allow').admit(userId, 'operators')).rejects.toBeInstanceOf(NotAdmittedError);
    expect(await admission('allow').canUse(userId, 'operators')).toBe('no');
    expect(await admission('allow').canUse(userId, 'everyone')).toBe('yes');
  });

  it("doesn't take no answer of Slack for a no", async () => {
    const toOperators = (answer: () => Promise<void>) => admission('refuse', undefined, answer);
    const noAnswer = toOperators(() => Promise.reject(new Error('ratelimited')));
    expect(await noAnswer.canUse('U0ANN', 'operators')).toBe('unknown');
    expect(await noAnswer.canUse('U0ANN', 'members')).toBe('yes');
    const no = toOperators(() => Promise.reject(new NotOperatorError(true)));
    expect(await no.canUse('U0ANN', 'operators')).toBe('no');
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    expect(await admission().canUse('U0ANN', 'members')).toBe('unknown');
  });

  it.each([
    ['U0GUS', 'guest'],
    ['U0SAM', 'stranger'],
  ])('refuses %s, a %s, and lets them look where that is allowed', async (userId, standing) => {
    const refusal = { standing, mayLook: false };
    await expect(admission().admit(userId, 'everyone')).rejects.toMatchObject(refusal);
    await expect(admission().admit(userId, 'members')).rejects.toBeInstanceOf(NotAdmittedError);
    await admission('allow').admit(userId, 'everyone');
    await expect(admission('allow').admit(userId, 'members')).rejects.toMatchObject({ standing, mayLook: true });
  });

  it('takes everybody for a stranger where it does not know its own workspace', async () => {
    const lost = admission('refuse', { teamId: null, enterpriseId: null });
    await expect(lost.admit('U0ANN', 'everyone')).rejects.toMatchObject({ standing: 'stranger' });
  });

  it('asks Slack once in five minutes', async () => {
    const { admit } = admission();
    await admit('U0ANN', 'everyone');
    now += 5 * MINUTE - 1;
    await admit('U0ANN', 'members');
    expect(slack.calls.of('users.info')).toHaveLength(1);
    now += 1;
    await admit('U0ANN', 'everyone');
    expect(slack.calls.of('users.info')).toHaveLength(2);
  });

  it('admits nobody whom Slack says nothing of, and asks again the next time', async () => {
    const { admit } = admission();
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    await expect(admit('U0ANN', 'everyone')).rejects.toBeInstanceOf(StandingUnknownError);
    await admit('U0ANN', 'everyone');
  });

  it('goes by what Slack said last while it says nothing', async () => {
    const { admit } = admission();
    await admit('U0ANN', 'everyone');
    now += 6 * MINUTE;
    slack.faults.next('users.info', { kind: 'error', error: 'internal_error' });
    await admit('U0ANN', 'everyone');
    expect(warnings).toEqual(['Slack did not say who somebody is: what it said before holds']);
  });
});
