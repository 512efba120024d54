import { NotAuthorizedError, NotOperatorError, PersonUnknownError } from '../../lib/errors.ts';
import type { Access } from '../../lib/workspace.ts';
import type { HomeTeam } from '../connection/connection.ts';
import type { SlackCtx } from '../ctx.ts';
import { slackReason } from '../slack-errors.ts';
import { identityOf, type People, type User } from '../workspace/workspace.ts';

export type GuestPolicy = 'allow' | 'refuse';

/** Slack answers some hundred such questions a minute. */
const MOST_ASKED = 50;

export interface AccessControl {
  authorize: (userId: string, access: Access) => Promise<void>;
  /** Is true if Slack doesn't answer: the act itself is authorized again. */
  canUse: (userId: string, access: Access) => Promise<boolean>;
}

export function createAccessControl(
  { operators, logger }: Pick<SlackCtx, 'operators' | 'logger'>,
  people: Pick<People, 'user' | 'membersOf' | 'membersNow'>,
  guests: GuestPolicy,
  homeTeam: () => HomeTeam,
): AccessControl {
  const userOf = (userId: string) =>
    people.user(userId).catch((cause: unknown) => {
      throw new PersonUnknownError(slackReason(cause), { cause });
    });
  async function authorize(userId: string, access: Access, membersOf = people.membersNow) {
    const user = await userOf(userId);
    if (user === null) throw new PersonUnknownError('user_not_found');
    const membership = membershipOf(user, homeTeam());
    if (membership !== 'member') {
      const mayLook = guests === 'allow' && !user.is_bot && !user.deleted;
      if (mayLook && access === 'everyone') return;
      throw new NotAuthorizedError(membership, mayLook);
    }
    if (access !== 'operators' || operators.isEverybody) return;
    const { ids, person } = identityOf(userId, user);
    if (operators.users.some((id) => ids.includes(id))) return;
    const groups = await Promise.allSettled(operators.groups.map((group) => membersOf(group)));
    const members = groups.flatMap((group) => (group.status === 'fulfilled' ? group.value.members : []));
    if (members.some((id) => ids.includes(id))) return;
    const few = members.length > MOST_ASKED ? [] : members;
    if (user.enterprise_user !== undefined && (await isOneOf([...operators.users, ...few], person))) return;
    throw groups.find((group) => group.status === 'rejected')?.reason ?? new NotOperatorError();
  }
  /** What Slack says of a listed ID may name the person, too. */
  async function isOneOf(listed: readonly string[], person: string) {
    const users = await Promise.all(listed.map(async (id) => [id, await userOf(id)] as const));
    return users.some(([id, user]) => user !== null && identityOf(id, user).person === person);
  }
  async function canUse(userId: string, access: Access) {
    try {
      await authorize(userId, access, people.membersOf);
    } catch (error) {
      if (error instanceof NotAuthorizedError || error instanceof NotOperatorError) return false;
      logger.warn({ err: error, access }, "Slack didn't say whether somebody can use this");
    }
    return true;
  }
  return { authorize, canUse };
}

function membershipOf(user: User, home: HomeTeam) {
  const enterpriseId = user.enterprise_user?.enterprise_id;
  const isOfHome = user.team_id === home.teamId || (enterpriseId !== undefined && enterpriseId === home.enterpriseId);
  if (user.is_stranger || user.is_bot || user.deleted || !isOfHome) return 'stranger';
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member';
}
