import { NotAuthorizedError, NotOperatorError, PersonUnknownError } from '../../lib/errors.ts';
import type { Access } from '../../lib/workspace.ts';
import type { Identity } from '../../people/identity.ts';
import type { HomeTeam } from '../connection/connection.ts';
import type { SlackCtx } from '../ctx.ts';
import { slackReason } from '../slack-errors.ts';
import { identityOf, type People, type User } from '../workspace/workspace.ts';

/** Whether guests can look things up. */
export type GuestPolicy = 'allow' | 'refuse';

/** Members of operators' groups that Slack is asked about: it answers some hundred such questions a minute. */
const MOST_ASKED = 50;

export interface AccessControl {
  /** Rejects unless the person has the access. */
  authorize: (userId: string, access: Access) => Promise<void>;
  /** For what is shown. Also true if Slack doesn't answer: the act itself is authorized again. */
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
  async function authorize(userId: string, access: Access, membersOf = people.membersNow): Promise<void> {
    const user = await userOf(userId);
    if (user === null) throw new PersonUnknownError('user_not_found');
    const membership = membershipOf(user, homeTeam());
    if (membership !== 'member') {
      const canLook = guests === 'allow' && !user.is_bot && !user.deleted;
      if (canLook && access === 'everyone') return;
      throw new NotAuthorizedError(membership, canLook);
    }
    if (access === 'operators' && !operators.isEverybody)
      await authorizeOperator(identityOf(userId, user), user, membersOf);
  }
  async function authorizeOperator(
    { ids, person }: Identity,
    user: User,
    membersOf: People['membersNow'],
  ): Promise<void> {
    if (operators.users.some((id) => ids.includes(id))) return;
    const groups = await Promise.allSettled(operators.groups.map((group) => membersOf(group)));
    const members = groups.flatMap((group) => (group.status === 'fulfilled' ? group.value.members : []));
    if (members.some((id) => ids.includes(id))) return;
    const isOfGrid = user.enterprise_user !== undefined;
    const few = members.length > MOST_ASKED ? [] : members;
    if (isOfGrid && (await isOneOf([...operators.users, ...few], person))) return;
    // A group that Slack doesn't list may have the person.
    throw groups.find((group) => group.status === 'rejected')?.reason ?? new NotOperatorError();
  }
  /** Whether Slack says of a listed ID that it's the person's. */
  async function isOneOf(listed: readonly string[], person: string): Promise<boolean> {
    const users = await Promise.all(listed.map(async (id) => [id, await userOf(id)] as const));
    return users.some(([id, user]) => user !== null && identityOf(id, user).person === person);
  }
  async function canUse(userId: string, access: Access): Promise<boolean> {
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

function membershipOf(user: User, home: HomeTeam): 'member' | 'guest' | 'stranger' {
  const enterpriseId = user.enterprise_user?.enterprise_id;
  const isOfHome = user.team_id === home.teamId || (enterpriseId !== undefined && enterpriseId === home.enterpriseId);
  if (user.is_stranger || user.is_bot || user.deleted || !isOfHome) return 'stranger';
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member';
}
