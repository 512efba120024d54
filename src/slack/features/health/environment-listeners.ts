import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import { InputError } from '../../../lib/errors.ts';
import { channelEnvironment, setChannelEnvironment } from '../../../watches/channel-settings.ts';
import type { SlackCtx } from '../../ctx.ts';
import { parseOnly } from '../../kit/button-value.ts';
import type { Command, Flow } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { postInChannel } from '../../router/post-notice.ts';
import { actionRoute, routesFor } from '../../router/route.ts';
import { environmentKept, environmentMessage, environmentSetMessage, USE } from './environment-message.ts';

const COMMAND = '/notif env';

/** Resets to the first environment, unless an environment has this name. */
const OFF = 'off';

export function environmentFlow(ctx: SlackCtx): Flow {
  const { environments, db } = ctx;
  const env: Command = {
    word: 'env',
    usage: '[name | off]',
    about: "set or show this channel's environment",
    examples: ['', 'staging', 'off'],
    for: 'members',
    filters: [],
    environments: 'none',
    answer: async ({ words: [word, ...others] }, interaction) => {
      if (others.length > 0) throw new InputError('env', `${COMMAND} takes one name.`, `${COMMAND} ${word}`);
      const channel = channelOf(interaction);
      if (word !== undefined) return set(ctx, named(ctx, word), channel, interaction);
      await interaction.reply.show(environmentMessage(environments, await channelEnvironment(db, channel)));
    },
  };
  const use = actionRoute(USE, parseOnly, (name, interaction) =>
    set(ctx, name === '' ? null : environmentNamed(name, environments), channelOf(interaction), interaction),
  );
  return { commands: [env], routes: routesFor('members', [use]) };
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
    return reply.show(environmentKept(environment ?? first));
  }
  logger.info({ channel, by, environment: environment?.name ?? null }, "a channel's environment was set");
  await postInChannel(ctx, channel, environmentSetMessage(environment, first, by), { reply });
}

function channelOf({ channelId }: Interaction): string {
  if (channelId === null) throw new InputError('channel', 'This belongs to a channel: ask in one.', COMMAND);
  return channelId;
}
