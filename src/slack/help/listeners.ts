import type { Environment } from '../../domain/environment.ts';
import { OPEN_HELP } from '../blocks/buttons/open-buttons.ts';
import type { Admission } from '../interactions/authorization.ts';
import type { Command } from '../interactions/command.ts';
import type { Gesture } from '../interactions/interaction.ts';
import { type Door, doorsFor } from '../interactions/route.ts';
import { helpMessage } from './message.ts';

export interface HelpParts {
  readonly environments: readonly Environment[];
  readonly admission: Admission;
}

/** `/notif help`, about the commands of the table that it stands in. */
export function helpCommand(others: readonly Command[], parts: HelpParts): Command {
  const help: Command = {
    word: 'help',
    usage: '',
    about: 'this list',
    examples: [],
    for: 'everyone',
    answer: (_asked, gesture) => showHelp([...others, help], gesture, parts),
  };
  return help;
}

/** [Help], where no command can be typed. */
export function helpDoors(commands: readonly Command[], parts: HelpParts): Door[] {
  return doorsFor('everyone', [
    { surface: 'action', id: OPEN_HELP, answer: (gesture) => showHelp(commands, gesture, parts) },
  ]);
}

async function showHelp(commands: readonly Command[], { userId, reply }: Gesture, parts: HelpParts): Promise<void> {
  const { admission, environments } = parts;
  const [members, operators] = await Promise.all([
    admission.canUse(userId, 'members'),
    admission.canUse(userId, 'operators'),
  ]);
  await reply.show(helpMessage(commands, environments, { everyone: 'yes', members, operators }));
}
