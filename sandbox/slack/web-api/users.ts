import { type Arguments, Refusal } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { BOT, ENTERPRISE, type SeedPerson, standingOf, TEAM } from '../seed.ts';
import type { SlackState } from '../state.ts';

export function userGroups(_args: Arguments, slack: SlackState): Json {
  return { usergroups: slack.userGroups.map(({ id, handle }) => ({ id, name: handle, handle })) };
}

export function userGroupMembers(args: Arguments, slack: SlackState): Json {
  const group = slack.userGroups.find(({ id }) => id === args.required('usergroup'));
  if (group === undefined) throw new Refusal('no_such_subteam');
  // A member can be listed by the ID of the organization.
  return { users: group.members.filter((id) => slack.isActive(slack.person(id)?.id ?? id)) };
}

export function userInfo(args: Arguments, slack: SlackState): Json {
  const id = args.required('user');
  const { name } = slack.manifest.display_information;
  if (id === BOT.userId) {
    const user = account({ id, name: name.toLowerCase(), realName: name });
    return { user: { ...user, real_name: name, is_bot: true } };
  }
  const person = slack.person(id);
  if (person === undefined) throw new Refusal('user_not_found');
  return { user: slack.isActive(person.id) ? activeUser(person, slack) : { ...account(person), deleted: true } };
}

/** What Slack also shows of a deactivated account. A nameless one has no name in any field. */
function account({ id, name, realName = name, teamId = TEAM.id, isNameless = false }: SeedPerson): Json {
  const names = isNameless ? {} : { real_name: realName, display_name: name };
  return { id, team_id: teamId, profile: { ...names, team: teamId }, ...(!isNameless && { name }) };
}

/** Slack names the organization of its own people only, not of strangers from another one. */
function activeUser(person: SeedPerson, slack: SlackState): Json {
  const { id, name, realName = name, isNameless = false, isGuest = false } = person;
  const { teamId = TEAM.id, enterpriseUserId = id, timeZone = 'Etc/UTC' } = person;
  const isStranger = standingOf(person) === 'other organization';
  const organization = { enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name };
  return {
    ...account(person),
    ...(!isNameless && { real_name: realName }),
    ...(slack.isInEnterprise &&
      !isStranger && {
        enterprise_user: { id: enterpriseUserId, ...organization, is_admin: false, is_owner: false, teams: [teamId] },
      }),
    ...(timeZone !== null && { tz: timeZone }),
    is_restricted: isGuest,
    is_ultra_restricted: false,
  };
}
