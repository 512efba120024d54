import { InputError } from '../../../lib/errors.ts';
import { nearest } from '../../../lib/nearest.ts';
import type { SlackCtx } from '../../ctx.ts';
import { OPEN_HELP } from '../../kit/buttons.ts';
import type { Command, Flow } from '../../router/command.ts';
import { type ChannelCtx, environmentIn } from '../../router/command.ts';
import type { Interaction } from '../../router/interaction.ts';
import { routesFor } from '../../router/route.ts';
import { type DefaultEnvironment, helpMessage } from './help-message.ts';

type HelpCtx = ChannelCtx & Pick<SlackCtx, 'logger' | 'accessControl'>;

/** It covers itself. [Help] is for places where people can't type a command. */
export function helpFlow(ctx: HelpCtx, others: readonly Command[]): Flow {
  const answer = (interaction: Interaction, word?: string) =>
    showHelp(ctx, namedOrAll(word, [...others, help]), interaction);
  const help: Command = {
    word: 'help',
    usage: '[command]',
    about: 'this list, or how to use one command',
    examples: ['watch'],
    for: 'everyone',
    environments: 'none',
    filters: [],
    answer: ({ words }, interaction) => answer(interaction, words[0]),
  };
  return {
    commands: [help],
    routes: routesFor('everyone', [{ surface: 'action', id: OPEN_HELP, answer: (interaction) => answer(interaction) }]),
  };
}

/** Throws an `InputError` for a mistyped command. */
function namedOrAll(word: string | undefined, commands: readonly Command[]): readonly Command[] {
  if (word === undefined) return commands;
  const named = commands.find((command) => command.word === word.toLowerCase());
  if (named !== undefined) return [named];
  const known = commands.map((command) => command.word);
  const near = nearest(word, known);
  if (near === null) return commands;
  throw new InputError('help', `There is no command ${word}. Did you mean ${near}?`, `/notif help ${near}`);
}

async function showHelp(ctx: HelpCtx, commands: readonly Command[], interaction: Interaction): Promise<void> {
  const { userId, channelId, reply } = interaction;
  const { accessControl, environments } = ctx;
  const [members, operators, defaultEnvironment] = await Promise.all([
    accessControl.canUse(userId, 'members'),
    accessControl.canUse(userId, 'operators'),
    defaultIn(ctx, channelId),
  ]);
  const permissions = { everyone: 'yes', members, operators } as const;
  await reply.show(helpMessage(commands, { environments, defaultEnvironment }, permissions));
}

/** Null if the database doesn't respond: help is needed then, too. */
async function defaultIn(ctx: HelpCtx, channelId: string | null): Promise<DefaultEnvironment | null> {
  const isChannel = channelId !== null && !channelId.startsWith('D');
  try {
    return { environment: await environmentIn(ctx, channelId, undefined), isChannel };
  } catch (err) {
    ctx.logger.warn({ err }, "a channel's environment couldn't be read for help");
    return null;
  }
}
