import { z } from 'zod';
import { MembershipUnknownError, NotAuthorizedError, NotOperatorError } from '../../lib/errors.ts';
import {
  type Access,
  type GuestPolicy,
  type HomeTeam,
  isOpenToVisitors,
  type Membership,
  type Permission,
  requireOperator,
  type UserGroups,
} from '../../lib/people.ts';
import { inTime, isStillKept } from '../../lib/time/waiting.ts';
import type { SlackCtx } from '../ctx.ts';

export interface AccessControl {
  /**
   * Rejects with `NotAuthorizedError`, `NotOperatorError`, `MembershipUnknownError` if Slack doesn't say who the person is, or
   * `OperatorsUnknownError` if it doesn't say who is in a user group.
   */
  authorize(userId: string, access: Access): Promise<void>;
  /** Only for display. Never rejects. */
  canUse(userId: string, access: Access): Promise<Permission>;
}

export interface AccessControlCtx extends Pick<SlackCtx, 'client' | 'operators' | 'logger' | 'now' | 'sleep'> {
  readonly homeTeam: () => HomeTeam;
  readonly guests: GuestPolicy;
  readonly groups: UserGroups;
}

/** The longest time until Notif notices that a person has become a member. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 5_000;
/** A form must be opened within three seconds of its interaction, and options shown. */
const PATIENCE_MS = 1_000;

interface Kept {
  readonly membership: Membership;
  readonly since: number;
}

/**
 * Asks Slack (users.info) at most once in five minutes. While Slack doesn't respond within a second, its last answer is
 * used; a person whom it never described is refused.
 */
export function createAccessControl(ctx: AccessControlCtx): AccessControl {
  const kept = new Map<string, Kept>();
  const underway = new Map<string, Promise<Membership>>();
  const refreshed = async (userId: string, before: Membership | null, since: number): Promise<Membership> => {
    try {
      const membership = await askMembership(ctx, userId, before);
      kept.delete(userId);
      kept.set(userId, { membership, since });
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return membership;
    } finally {
      underway.delete(userId);
    }
  };
  const membershipOf = async (userId: string): Promise<Membership> => {
    const now = ctx.now().getTime();
    const known = kept.get(userId);
    if (known !== undefined && isStillKept(known.since, KEPT_MS, now)) return known.membership;
    const answer = underway.get(userId) ?? refreshed(userId, known?.membership ?? null, now);
    underway.set(userId, answer);
    return known === undefined ? answer : inTime(answer, { ms: PATIENCE_MS, instead: known.membership }, ctx.sleep);
  };
  const authorize: AccessControl['authorize'] = async (userId, access) => {
    const membership = await membershipOf(userId);
    if (membership !== 'member') {
      if (isOpenToVisitors(access, ctx.guests)) return;
      throw new NotAuthorizedError(membership, ctx.guests === 'allow');
    }
    if (access === 'operators') await requireOperator(userId, ctx.operators, ctx.groups);
  };
  const canUse: AccessControl['canUse'] = async (userId, access) => {
    try {
      await authorize(userId, access);
      return 'yes';
    } catch (error) {
      if (error instanceof NotAuthorizedError || error instanceof NotOperatorError) return 'no';
      ctx.logger.warn({ err: error, access }, 'Slack did not say whether somebody can use this');
      return 'unknown';
    }
  };
  return { authorize, canUse };
}

async function askMembership(
  { client, homeTeam, logger }: AccessControlCtx,
  userId: string,
  before: Membership | null,
): Promise<Membership> {
  try {
    const { user } = await client.users.info({ user: userId });
    return membershipIn(user, homeTeam());
  } catch (error) {
    if (before === null) throw new MembershipUnknownError(error);
    logger.warn({ err: error, before }, 'Slack did not say who somebody is: what it said before holds');
    return before;
  }
}

const User = z.object({
  team_id: z.string().optional(),
  is_restricted: z.boolean().default(false),
  is_ultra_restricted: z.boolean().default(false),
  is_stranger: z.boolean().default(false),
  enterprise_user: z.object({ enterprise_id: z.string().optional() }).optional(),
});

/** By Slack's "User object". In an organization of several workspaces, members of another one are members. */
function membershipIn(user: unknown, home: HomeTeam): Membership {
  const { team_id: teamId, enterprise_user: enterpriseUser, ...marks } = User.parse(user);
  const isOfHome = teamId === home.teamId || isOfOrganization(enterpriseUser?.enterprise_id, home);
  if (marks.is_stranger || !isOfHome) return 'stranger';
  return marks.is_restricted || marks.is_ultra_restricted ? 'guest' : 'member';
}

function isOfOrganization(enterpriseId: string | undefined, home: HomeTeam): boolean {
  return enterpriseId !== undefined && enterpriseId === home.enterpriseId;
}
