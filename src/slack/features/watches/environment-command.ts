import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { setChannelEnvironment } from '../../../watches/channel-environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { Interaction } from '../../kit/interaction.ts';
import { asMessage, type MessageContent } from '../../kit/message.ts';
import { postInChannel } from '../../kit/reply.ts';
import { badge, code, listed, type Markup, mrkdwn, person } from '../../kit/text.ts';
import { type Command, environmentIn } from '../../router/command.ts';

export function environmentCommand(ctx: SlackCtx): Command {
  return {
    word: 'env',
    purpose: 'alerts',
    usage: '[name | off]',
    about: "set or show this channel's environment",
    examples: ['', 'staging', 'off'],
    for: 'members',
    filters: [],
    answer: async ({ words }, interaction) => {
      const channel = channelOf(interaction);
      const typed = words.join(' ');
      if (typed !== '') return setEnvironment(ctx, typed.toLowerCase() === 'off' ? null : typed, channel, interaction);
      await interaction.reply.show(environmentMessage(ctx, await environmentIn(ctx, channel)));
    },
  };
}

async function setEnvironment(
  ctx: SlackCtx,
  name: string | null,
  channel: string,
  interaction: Interaction,
): Promise<void> {
  const { userId, reply } = interaction;
  const environment = name === null ? null : environmentNamed(name, ctx.environments);
  const first = environmentNamed(undefined, ctx.environments);
  if (!(await setChannelEnvironment(ctx, channel, environment, userId)))
    return reply.show(asMessage(usageWords(environment ?? first)));
  await postInChannel(ctx, channel, environmentSetMessage(environment, first, userId), interaction);
}

export function environmentSetMessage(
  environment: Environment | null,
  first: Environment,
  userId: string,
): MessageContent {
  const verb = environment === null ? 'unset' : 'set';
  return asMessage(mrkdwn`${person(userId)} ${verb} this channel's environment. ${usageWords(environment ?? first)}`);
}

function environmentMessage({ environments }: SlackCtx, used: Environment): MessageContent {
  const others = environments.filter(({ name }) => name !== used.name);
  const commands = [...others.map(({ name }) => name), 'off'].map((typed) => code(`/notif env ${typed}`));
  const change = mrkdwn`To change that: ${listed(commands)}, which leaves it to the first of the configuration.`;
  return asMessage([usageWords(used), others.length > 0 && change]);
}

function usageWords(environment: Environment): Markup {
  return mrkdwn`Commands in this channel use ${badge(environment)} unless they have ${code('env:')}.`;
}

/** Throws outside of a channel. */
export function channelOf({ channelId }: Interaction): string {
  if (channelId !== null) return channelId;
  throw new InputError('channel', 'This belongs to a channel.', null, 'Ask in one.');
}
