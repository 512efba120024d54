import { tzName, tzOffset } from '@date-fns/tz';
import type { Arguments } from '../arguments.ts';
import type { Json } from '../page-protocol.ts';
import { Refusal } from '../refusal.ts';
import { BOT, type SeedPerson, TEAM } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** users.info */
export function userInfo(args: Arguments, slack: SlackState): Json {
  const id = args.required('user');
  if (id === BOT.userId) return { user: botUser(slack) };
  const person = slack.people.find(id);
  if (person === undefined) throw new Refusal('user_not_found');
  return { user: slack.people.isActive(id) ? activeUser(person, slack) : { ...account(person), deleted: true } };
}

/** What Slack shows of everybody; of a deactivated account it shows nothing else. */
function account({ id, name, realName = name, teamId = TEAM.id }: SeedPerson): Json {
  const profile = { real_name: realName, display_name: name, team: teamId };
  return { id, team_id: teamId, name, deleted: false, is_bot: false, is_app_user: false, profile };
}

function activeUser(person: SeedPerson, slack: SlackState): Json {
  const { name, realName = name, isGuest = false, isSingleChannelGuest = false } = person;
  return {
    ...account(person),
    real_name: realName,
    ...timeZone(person, new Date(slack.now())),
    is_restricted: isGuest || isSingleChannelGuest,
    is_ultra_restricted: isSingleChannelGuest,
    ...(isStranger(person, slack) ? { is_stranger: true } : {}),
  };
}

/** The IANA name, and how many seconds it is ahead of UTC at this moment. */
function timeZone({ timeZone: tz = 'Etc/UTC' }: SeedPerson, now: Date): Json {
  return { tz, tz_label: tzName(tz, now, 'long'), tz_offset: tzOffset(tz, now) * 60 };
}

/** A person of another organization who is in no channel together with the bot. */
function isStranger({ id, teamId = TEAM.id }: SeedPerson, { conversations }: SlackState): boolean {
  const isShared = conversations.of(id).some(({ kind, members }) => kind !== 'direct' && members.includes(BOT.userId));
  return teamId !== TEAM.id && !isShared;
}

function botUser({ manifest }: SlackState): Json {
  const { name } = manifest.display_information;
  const bot = { id: BOT.userId, name: name.toLowerCase(), realName: name };
  return { ...account(bot), real_name: name, is_bot: true };
}
