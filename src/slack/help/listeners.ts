import type { Environment } from '../../domain/environment.ts';
import { OPEN_HELP } from '../blocks/buttons/open-buttons.ts';
import type { AccessControl } from '../interactions/authorization.ts';
import type { Command } from '../interactions/command.ts';
import type { Flow } from '../interactions/flow.ts';
import type { Interaction } from '../interactions/interaction.ts';
import { routesFor } from '../interactions/route.ts';
import { helpMessage } from './message.ts';

export interface HelpParts {
  readonly environments: readonly Environment[];
  readonly accessControl: AccessControl;
}

/** `/notif help`, which covers all other commands and itself, and [Help], for places where people can't type a command. */
export function helpFlow(others: readonly Command[], parts: HelpParts): Flow {
  const answer = (interaction: Interaction, word?: string) =>
    showHelp(namedOrAll(word, [...others, help]), interaction, parts);
  const help: Command = {
    word: 'help',
    usage: '[command]',
    about: 'this list, or how to use one command',
    examples: ['watch'],
    for: 'everyone',
    answer: ({ words }, interaction) => answer(interaction, words[0]),
  };
  return {
    commands: [help],
    routes: routesFor('everyone', [{ surface: 'action', id: OPEN_HELP, answer: (interaction) => answer(interaction) }]),
  };
}

function namedOrAll(word: string | undefined, commands: readonly Command[]): readonly Command[] {
  const named = commands.find((command) => command.word === word?.toLowerCase());
  return named === undefined ? commands : [named];
}

async function showHelp(commands: readonly Command[], { userId, reply }: Interaction, parts: HelpParts): Promise<void> {
  const { accessControl, environments } = parts;
  const [members, operators] = await Promise.all([
    accessControl.canUse(userId, 'members'),
    accessControl.canUse(userId, 'operators'),
  ]);
  await reply.show(helpMessage(commands, environments, { everyone: 'yes', members, operators }));
}
