import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { type SeedUserGroup, TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** usergroups.list; disabled groups, members and their number on request. */
export function userGroups(args: Arguments, slack: SlackState): Json {
  const shown = slack.userGroups.filter(({ isDisabled = false }) => !isDisabled || args.flag('include_disabled'));
  return {
    usergroups: shown.map((group) => ({
      ...userGroup(group),
      ...(args.flag('include_users') ? { users: group.members } : {}),
      ...(args.flag('include_count') ? { user_count: group.members.length } : {}),
    })),
  };
}

/** usergroups.users.list */
export function userGroupMembers(args: Arguments, slack: SlackState): Json {
  const group = slack.userGroups.find(({ id }) => id === args.required('usergroup'));
  if (group === undefined) throw new Refusal('no_such_subteam');
  return { users: group.members.filter((id) => slack.people.isActive(id)) };
}

/** A time for `date_delete`, which is 0 for a group in use. */
const DISABLED_AT = 1_700_000_000;

function userGroup({ id, handle, name = handle, isDisabled = false }: SeedUserGroup): Json {
  const dates = { date_delete: isDisabled ? DISABLED_AT : 0 };
  return { id, team_id: TEAM.id, is_usergroup: true, name, handle, description: '', is_external: false, ...dates };
}
