import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** users.info */
export function userInfo(args: Arguments, slack: SlackState): Json {
  const person = slack.people.find(({ id }) => id === args.required('user'));
  if (person === undefined) throw new Refusal('user_not_found');
  const user = { id: person.id, name: person.name, real_name: person.name, team_id: person.teamId ?? TEAM.id };
  return { user: { ...user, is_bot: false, deleted: false, is_restricted: person.isGuest ?? false } };
}

/** usergroups.users.list */
export function userGroupMembers(args: Arguments, slack: SlackState): Json {
  const group = slack.userGroups.find(({ id }) => id === args.required('usergroup'));
  if (group === undefined) throw new Refusal('no_such_subteam');
  return { users: group.members };
}
