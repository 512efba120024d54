import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import type { ActCtx } from '../../incidents/actions.ts';
import { channelEnvironment, setChannelEnvironment } from '../../watches/channel-settings.ts';
import { parseOnly } from '../blocks/button-value.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, routesFor } from '../interactions/route.ts';
import { environmentKept, environmentMessage, environmentSetMessage, USE } from './message.ts';

export type EnvironmentParts = Pick<ActCtx, 'db' | 'now'> &
  NoticeParts & { readonly environments: readonly Environment[] };

const COMMAND = '/notif env';

/** Resets to the first environment, unless an environment has this name. */
const OFF = 'off';

export function environmentFlow(parts: EnvironmentParts): Flow {
  const { environments, db } = parts;
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
      if (word !== undefined) return set(named(word, parts), channel, interaction, parts);
      await interaction.reply.show(environmentMessage(environments, await channelEnvironment(db, channel)));
    },
  };
  const use = actionRoute(USE, parseOnly, (name, interaction) =>
    set(name === '' ? null : environmentNamed(name, environments), channelOf(interaction), interaction, parts),
  );
  return { commands: [env], routes: routesFor('members', [use]) };
}

function named(word: string, { environments }: EnvironmentParts): Environment | null {
  const isOff = word.toLowerCase() === OFF && environments.every(({ name }) => name !== OFF);
  return isOff ? null : environmentNamed(word, environments);
}

async function set(
  environment: Environment | null,
  channel: string,
  { userId: by, reply }: Interaction,
  parts: EnvironmentParts,
): Promise<void> {
  const { environments, logger } = parts;
  const first = environmentNamed(undefined, environments);
  if (!(await setChannelEnvironment(parts, channel, environment, by))) {
    return reply.show(environmentKept(environment ?? first));
  }
  logger.info({ channel, by, environment: environment?.name ?? null }, "a channel's environment was set");
  await postInChannel(channel, environmentSetMessage(environment, first, by), { reply }, parts);
}

function channelOf({ channelId }: Interaction): string {
  if (channelId === null) throw new InputError('channel', 'This belongs to a channel: ask in one.', COMMAND);
  return channelId;
}
