import { tzName, tzOffset } from '@date-fns/tz';
import { type Arguments, Refusal } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, ENTERPRISE, type SeedPerson, type SeedUserGroup, TEAM } from '../seed.ts';
import { standingOf } from '../state/people.ts';
import type { SlackState } from '../state/slack-state.ts';

export function authTest(_args: Arguments, slack: SlackState): Json {
  return {
    url: slack.origin,
    team: TEAM.domain,
    team_id: TEAM.id,
    user: slack.manifest.display_information.name.toLowerCase(),
    user_id: BOT.userId,
    bot_id: BOT.botId,
    app_id: APP_ID,
    ...(slack.isInEnterprise ? { enterprise_id: ENTERPRISE.id } : {}),
    is_enterprise_install: false,
  };
}

/** apps.connections.open: returns a URL that admits one Socket Mode connection. */
export function openConnection(_args: Arguments, slack: SlackState): Json {
  if (!slack.manifest.settings.socket_mode_enabled) throw new Refusal('socket_mode_not_enabled');
  return { url: `${slack.origin.replace('http', 'ws')}/link/?ticket=${slack.sockets.issueTicket()}` };
}

export function userInfo(args: Arguments, slack: SlackState): Json {
  const id = args.required('user');
  if (id === BOT.userId) return { user: botUser(slack) };
  const person = slack.people.find(id);
  if (person === undefined) throw new Refusal('user_not_found');
  return { user: slack.people.isActive(id) ? activeUser(person, slack) : { ...account(person), deleted: true } };
}

/** Returns what Slack shows of everybody; for a deactivated account, nothing else. */
function account(person: SeedPerson): Json {
  const { id, name, realName = name, teamId = TEAM.id, isNameless = false } = person;
  const names = isNameless ? { profile: { team: teamId } } : { name, profile: namesIn({ name, realName, teamId }) };
  return { id, team_id: teamId, ...names, deleted: false, is_bot: false, is_app_user: false };
}

function namesIn({ name, realName, teamId }: { name: string; realName: string; teamId: string }): Json {
  return { real_name: realName, display_name: name, team: teamId };
}

function activeUser(person: SeedPerson, slack: SlackState): Json {
  const { name, realName = name, isNameless = false, isGuest = false } = person;
  return {
    ...account(person),
    ...(isNameless ? {} : { real_name: realName }),
    ...enterpriseUser(person, slack),
    ...timeZone(person, new Date(slack.now())),
    is_restricted: isGuest,
    is_ultra_restricted: false,
    ...(isStranger(person, slack) ? { is_stranger: true } : {}),
  };
}

/** Returns the IANA name and its current offset from UTC in seconds. */
function timeZone({ timeZone: tz = 'Etc/UTC' }: SeedPerson, now: Date): Json {
  if (tz === null) return {};
  if (!isKnownHere(tz)) return { tz, tz_label: tz, tz_offset: 0 };
  return { tz, tz_label: tzName(tz, now, 'long'), tz_offset: tzOffset(tz, now) * 60 };
}

/** In an organization of several workspaces, returns each person's other workspaces and roles. */
function enterpriseUser({ id, teamId = TEAM.id, enterpriseId }: SeedPerson, { isInEnterprise }: SlackState): Json {
  if (!isInEnterprise || (teamId !== TEAM.id && enterpriseId !== ENTERPRISE.id)) return {};
  const organization = { enterprise_id: ENTERPRISE.id, enterprise_name: ENTERPRISE.name };
  return { enterprise_user: { id, ...organization, is_admin: false, is_owner: false, teams: [teamId] } };
}

/** Slack can have time zones that this machine doesn't know. */
function isKnownHere(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns whether a person is of another organization and shares no channel with the bot. */
function isStranger(person: SeedPerson, { conversations }: SlackState): boolean {
  const isShared = conversations
    .of(person.id)
    .some(({ kind, members }) => kind !== 'direct' && members.includes(BOT.userId));
  return standingOf(person) === 'other organization' && !isShared;
}

function botUser({ manifest }: SlackState): Json {
  const { name } = manifest.display_information;
  const bot = { id: BOT.userId, name: name.toLowerCase(), realName: name };
  return { ...account(bot), real_name: name, is_bot: true };
}

export function userGroups(_args: Arguments, slack: SlackState): Json {
  return { usergroups: slack.userGroups.map(userGroup) };
}

export function userGroupMembers(args: Arguments, slack: SlackState): Json {
  const group = slack.userGroups.find(({ id }) => id === args.required('usergroup'));
  if (group === undefined) throw new Refusal('no_such_subteam');
  return { users: group.members.filter((id) => slack.people.isActive(id)) };
}

function userGroup({ id, handle }: SeedUserGroup): Json {
  const about = { is_usergroup: true, description: '', is_external: false, date_delete: 0 };
  return { id, team_id: TEAM.id, name: handle, handle, ...about };
}
