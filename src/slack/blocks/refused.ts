import type { Operators } from '../../domain/operators.ts';
import type { Trouble } from './error-card.ts';
import { joined, type Markup, mrkdwn, person, token } from './text.ts';

const MOST_NAMED = 5;

/** Why somebody may not change anything, and whom to ask. Nobody is notified by being named to one person. */
export function refusedTrouble(operators: Operators): Trouble {
  if (operators.who !== 'listed') {
    return {
      what: 'Nobody may change anything here: NOTIF_OPERATORS is not set.',
      next: 'Have whoever runs Notif set it to the Slack ids of people or user groups.',
    };
  }
  return {
    what: 'Only operators may do this.',
    next: mrkdwn`Ask ${namesOf(operators.users, operators.groups)}, or have NOTIF_OPERATORS changed.`,
  };
}

function namesOf(users: readonly string[], groups: readonly string[]): Markup {
  const names = [...groups.map(groupName), ...users.map(person)];
  const more = names.length > MOST_NAMED ? [mrkdwn`${names.length - MOST_NAMED} more`] : [];
  return joined([...names.slice(0, MOST_NAMED), ...more], ', ');
}

function groupName(groupId: string): Markup {
  return /^S[A-Z0-9]+$/.test(groupId) ? token(`<!subteam^${groupId}>`) : mrkdwn`${groupId}`;
}
