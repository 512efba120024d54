import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { setChannelEnvironment } from '../../../watches/channel-environment.ts';
import type { SlackCtx } from '../../ctx.ts';
import { sentence } from '../../kit/message.ts';
import { badge, code, mrkdwn, person } from '../../kit/text.ts';
import { type Command, environmentIn } from '../../router/command.ts';
import { postInChannel } from '../../router/reply.ts';
import type { Interaction } from '../../router/route.ts';

export function environmentCommand(ctx: SlackCtx): Command {
  return {
    word: 'env',
    usage: '[name | off]',
    about: "set or show this channel's environment",
    examples: ['', 'staging', 'off'],
    for: 'members',
    filters: [],
    answer: async ({ words }, interaction) => {
      const channel = channelOf(interaction);
      const typed = words.join(' ');
      if (typed !== '') return set(ctx, typed.toLowerCase() === 'off' ? null : typed, channel, interaction);
      await interaction.reply.show(sentence(usedIn(await environmentIn(ctx, channel))));
    },
  };
}

export function channelOf({ channelId }: Interaction) {
  if (channelId !== null) return channelId;
  throw new InputError('channel', 'This belongs to a channel.', null, 'Ask in one.');
}

async function set(ctx: SlackCtx, name: string | null, channel: string, interaction: Interaction) {
  const { userId, reply } = interaction;
  const environment = name === null ? null : environmentNamed(name, ctx.environments);
  const first = environmentNamed(undefined, ctx.environments);
  if (!(await setChannelEnvironment(ctx, channel, environment, userId)))
    return reply.show(sentence(usedIn(environment ?? first)));
  await postInChannel(ctx, channel, environmentSetMessage(environment, first, userId), interaction);
}

export function environmentSetMessage(environment: Environment | null, first: Environment, userId: string) {
  const did = environment === null ? 'unset' : 'set';
  return sentence(mrkdwn`${person(userId)} ${did} this channel's environment. ${usedIn(environment ?? first)}`);
}

function usedIn(environment: Environment) {
  return mrkdwn`Commands in this channel use ${badge(environment)} unless they have ${code('env:')}.`;
}
