import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { type SeedUserGroup, TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** usergroups.list */
export function userGroups(_args: Arguments, slack: SlackState): Json {
  return { usergroups: slack.userGroups.map(userGroup) };
}

/** usergroups.users.list */
export function userGroupMembers(args: Arguments, slack: SlackState): Json {
  const group = slack.userGroups.find(({ id }) => id === args.required('usergroup'));
  if (group === undefined) throw new Refusal('no_such_subteam');
  return { users: group.members.filter((id) => slack.people.isActive(id)) };
}

function userGroup({ id, handle }: SeedUserGroup): Json {
  const about = { is_usergroup: true, description: '', is_external: false, date_delete: 0 };
  return { id, team_id: TEAM.id, name: handle, handle, ...about };
}
