import type { Environment } from '../../../lib/environment.ts';
import type { ChannelEnvironment } from '../../../watches/channel-settings.ts';
import { actions, button, context, type MessageContent, message, section, sentence } from '../../kit/blocks.ts';
import { writeValue } from '../../kit/button-value.ts';
import { badge, code, joined, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

/** Its value is the environment's name; '' resets to the first. */
export const USE = 'environment.use';

/** Further environments can be set by the command. */
const MOST_BUTTONS = 10;
const MOST_NAMED = 20;

export function environmentMessage(
  environments: readonly Environment[],
  set: ChannelEnvironment | null,
): MessageContent {
  const [first] = environments;
  const chosen = environments.find(({ name }) => name === set?.environment);
  const current = chosen ?? first;
  if (current === undefined) return sentence(NONE);
  const what = mrkdwn`Commands in this channel use ${badge(current)} unless they have ${code('env:')}.`;
  const why = chosen === undefined ? mrkdwn`It is the first that is configured.` : setBy(set);
  const others = environments.filter(({ name }) => name !== current.name);
  const named = environments.slice(0, MOST_NAMED).map(({ name }) => code(`/notif env ${name}`));
  const more = environments.length > MOST_NAMED ? mrkdwn` and ${environments.length - MOST_NAMED} more` : mrkdwn``;
  return message(mrkdwn`${what} ${why}`, [
    section(joined([what, ...goneLine(set, chosen), why], '\n')),
    ...others
      .slice(0, MOST_BUTTONS)
      .map((other) => section(badge(other), button('Use it here', USE, writeValue([other.name])))),
    ...actions(chosen === undefined ? [] : [FIRST_AGAIN]),
    context(mrkdwn`${joined(named, ', ')}${more}, ${code('/notif env off')} to reset to the default`),
  ]);
}

export function environmentSetMessage(environment: Environment | null, first: Environment, by: string): MessageContent {
  const what =
    environment === null
      ? mrkdwn`${person(by)} unset this channel's environment. Commands here use ${badge(first)}, the default, unless they have ${code('env:')}.`
      : mrkdwn`${person(by)} set this channel's environment to ${badge(environment)}. Commands here use it unless they have ${code('env:')}.`;
  return sentence(what);
}

export function environmentKept(environment: Environment): MessageContent {
  return sentence(mrkdwn`This channel uses ${badge(environment)} already.`);
}

const FIRST_AGAIN = button('Reset to default', USE, writeValue(['']));

const NONE = mrkdwn`No environment is configured.`;

function setBy(set: ChannelEnvironment | null): Markup {
  return set === null ? mrkdwn`` : mrkdwn`Set by ${person(set.by)}, ${time(set.at, 'day')}.`;
}

function goneLine(set: ChannelEnvironment | null, chosen: Environment | undefined): Markup[] {
  if (set === null || set.environment === null || chosen !== undefined) return [];
  return [mrkdwn`${code(set.environment)} was set, and is no longer configured.`];
}
