import type { Environment } from '../../domain/environment.ts';
import { isOperator, type OperatorParts } from '../../use-cases/is-operator.ts';
import { OPEN_HELP } from '../blocks/open-buttons.ts';
import type { Command } from '../doors/command.ts';
import { type Door, openToGuests } from '../doors/door.ts';
import type { Gesture } from '../doors/gesture.ts';
import { helpMessage } from './message.ts';

export interface HelpParts extends OperatorParts {
  readonly environments: readonly Environment[];
}

/** `/notif help`, about the commands of the table that it stands in. */
export function helpCommand(others: readonly Command[], parts: HelpParts): Command {
  const help: Command = {
    word: 'help',
    usage: '',
    about: 'this list',
    examples: [],
    forOperators: false,
    forGuests: true,
    answer: (_asked, gesture) => showHelp([...others, help], gesture, parts),
  };
  return help;
}

/** [Help], where no command can be typed. */
export function helpDoors(commands: readonly Command[], parts: HelpParts): Door[] {
  return openToGuests([{ surface: 'action', id: OPEN_HELP, answer: (gesture) => showHelp(commands, gesture, parts) }]);
}

async function showHelp(commands: readonly Command[], { userId, reply }: Gesture, parts: HelpParts): Promise<void> {
  await reply.show(helpMessage(commands, parts.environments, await isOperator(userId, parts)));
}
