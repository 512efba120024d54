import { type Environment, environmentNamed } from '../../domain/environment.ts';
import { InputError } from '../../domain/errors.ts';
import { type SetEnvironmentParts, setChannelEnvironment } from '../../use-cases/watches/set-channel-environment.ts';
import type { Command, Flow } from '../interactions/command.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { type NoticeParts, postInChannel } from '../interactions/post-notice.ts';
import { actionRoute, type Route, routesFor } from '../interactions/route.ts';
import { environmentKept, environmentMessage, environmentSetMessage, parseUse, USE } from './message.ts';

export type EnvironmentParts = SetEnvironmentParts & NoticeParts;

const COMMAND = '/notif env';

/** Resets to the first environment, unless an environment has this name. */
const OFF = 'off';

/** `/notif env` and its buttons: a channel's environment. */
export function environmentFlow(parts: EnvironmentParts): Flow {
  return { commands: [environmentCommand(parts)], routes: environmentRoutes(parts) };
}

/** `/notif env [name]` */
function environmentCommand(parts: EnvironmentParts): Command {
  return {
    word: 'env',
    usage: '[name | off]',
    about: "set or show this channel's environment",
    examples: ['', 'staging', 'off'],
    for: 'members',
    filters: [],
    environments: 'none',
    answer: async ({ words }, interaction) => {
      const [word, ...others] = words;
      if (others.length > 0) throw new InputError('env', `${COMMAND} takes one name.`, `${COMMAND} ${word}`);
      const channel = channelOf(interaction);
      if (word !== undefined) return set(named(word, parts), channel, interaction, parts);
      await interaction.reply.show(
        environmentMessage(parts.environments, await parts.store.channelEnvironment(channel)),
      );
    },
  };
}

/** The routes for [Use it here] and [Reset to default]. */
function environmentRoutes(parts: EnvironmentParts): Route[] {
  return routesFor('members', [
    actionRoute(USE, parseUse, (name, interaction) =>
      set(name === '' ? null : environmentNamed(name, parts.environments), channelOf(interaction), interaction, parts),
    ),
  ]);
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
  if (!(await setChannelEnvironment(channel, environment, by, parts))) {
    return reply.show(environmentKept(environment ?? first));
  }
  logger.info({ channel, by, environment: environment?.name ?? null }, "a channel's environment was set");
  await postInChannel(channel, environmentSetMessage(environment, first, by), { reply }, parts);
}

function channelOf({ channelId }: Interaction): string {
  if (channelId === null) throw new InputError('channel', 'This belongs to a channel: ask in one.', COMMAND);
  return channelId;
}
