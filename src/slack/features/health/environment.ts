import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import {
  type ChannelEnvironment,
  channelEnvironment,
  setChannelEnvironment,
} from '../../../watches/channel-settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { type MessageContent, sentence } from '../../kit/blocks.ts';
import { badge, code, firstOf, joined, mrkdwn, person } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';
import type { Command } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { postInChannel } from '../../router/post-notice.ts';

const COMMAND = '/notif env';

/** Resets to the first environment, unless an environment has this name. */
const OFF = 'off';

export function environmentCommand(ctx: SlackCtx): Command {
  const { environments, db } = ctx;
  return {
    word: 'env',
    usage: '[name | off]',
    about: "set or show this channel's environment",
    examples: ['', 'staging', 'off'],
    for: 'members',
    filters: [],
    answer: async ({ words: [word, ...others] }, interaction) => {
      if (others.length > 0) throw new InputError('env', `${COMMAND} takes one name.`, `${COMMAND} ${word}`);
      const { channelId: channel } = interaction;
      if (channel === null) throw new InputError('channel', 'This belongs to a channel: ask in one.', COMMAND);
      if (word !== undefined) return set(ctx, named(ctx, word), channel, interaction);
      await interaction.reply.show(environmentMessage(environments, await channelEnvironment(db, channel)));
    },
  };
}

function named({ environments }: SlackCtx, word: string): Environment | null {
  const isOff = word.toLowerCase() === OFF && environments.every(({ name }) => name !== OFF);
  return isOff ? null : environmentNamed(word, environments);
}

async function set(
  ctx: SlackCtx,
  environment: Environment | null,
  channel: string,
  { userId: by, reply }: Interaction,
): Promise<void> {
  const { environments, logger } = ctx;
  const first = environmentNamed(undefined, environments);
  if (!(await setChannelEnvironment(ctx, channel, environment, by))) {
    return reply.show(sentence(mrkdwn`This channel uses ${badge(environment ?? first)} already.`));
  }
  logger.info({ channel, by, environment: environment?.name ?? null }, "Channel's environment set");
  await postInChannel(ctx, channel, environmentSetMessage(environment, first, by), { reply });
}

const MOST_NAMED = 20;

function environmentMessage(environments: readonly Environment[], set: ChannelEnvironment | null): MessageContent {
  const chosen = environments.find(({ name }) => name === set?.environment);
  const why =
    set === null || chosen === undefined
      ? mrkdwn`It is the first that is configured.`
      : mrkdwn`Set by ${person(set.by)}, ${time(set.at, 'day')}.`;
  const current = chosen ?? environmentNamed(undefined, environments);
  const others = firstOf(
    environments.map(({ name }) => code(`${COMMAND} ${name}`)),
    MOST_NAMED,
  );
  const what = mrkdwn`Commands in this channel use ${badge(current)} unless they have ${code('env:')}.`;
  return sentence(joined([mrkdwn`${what} ${why}`, joined([...others, code(`${COMMAND} ${OFF}`)], ', ')], '\n'));
}

export function environmentSetMessage(environment: Environment | null, first: Environment, by: string): MessageContent {
  return sentence(
    environment === null
      ? mrkdwn`${person(by)} unset this channel's environment. Commands here use ${badge(first)}, the default, unless they have ${code('env:')}.`
      : mrkdwn`${person(by)} set this channel's environment to ${badge(environment)}. Commands here use it unless they have ${code('env:')}.`,
  );
}
