import type { Operators } from '../../../domain/access/operators.ts';
import type { NotAuthorizedError } from '../../../domain/errors.ts';
import { code, firstOf, joined, type Markup, mrkdwn, person, token } from '../text.ts';
import type { ErrorText } from './error-card.ts';

const MOST_NAMED = 5;

/** Being named in an answer to one person notifies nobody. */
export function operatorsOnlyExplanation(operators: Operators): ErrorText {
  if (operators.who !== 'listed') {
    return {
      what: "This is off: NOTIF_OPERATORS isn't set.",
      next: 'Ask the people who run Notif to set it to the Slack IDs of people or user groups.',
    };
  }
  return {
    what: 'Only operators can do this.',
    next: mrkdwn`Ask ${namesOf(operators.users, operators.groups)}, or have NOTIF_OPERATORS changed.`,
  };
}

const WHO = { guest: 'Guests', stranger: 'People from other organizations' };

export function notAuthorizedExplanation(
  { membership, mayLook }: Pick<NotAuthorizedError, 'membership' | 'mayLook'>,
  operators: Operators,
): ErrorText {
  const who = WHO[membership];
  const names = operators.who === 'listed' ? mrkdwn` such as ${namesOf(operators.users, operators.groups)}` : mrkdwn``;
  if (mayLook) {
    return {
      what: `${who} can look things up here, but this is for members of the workspace.`,
      next: mrkdwn`Ask a member${names} to do it.`,
    };
  }
  return {
    what: `${who} can't use Notif in this workspace.`,
    next: mrkdwn`Ask a member${names} to look it up and share it, or the people who run Notif to let you in (${code('NOTIF_GUESTS=allow')}).`,
  };
}

function namesOf(users: readonly string[], groups: readonly string[]): Markup {
  return joined(firstOf([...groups.map(kindName), ...users.map(person)], MOST_NAMED), ', ');
}

function kindName(groupId: string): Markup {
  return /^S[A-Z0-9]+$/.test(groupId) ? token(`<!subteam^${groupId}>`) : mrkdwn`${groupId}`;
}
