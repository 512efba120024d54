import type { Environment } from '../../domain/environment.ts';
import { NotOperatorError } from '../../domain/errors.ts';
import type { Logger } from '../../domain/logger.ts';
import type { Operators } from '../../domain/operators.ts';
import { type GroupMembers, requireOperator } from '../../use-cases/require-operator.ts';
import type { Command } from '../doors/command.ts';
import { helpMessage } from './message.ts';

export interface HelpParts {
  readonly environments: readonly Environment[];
  readonly operators: Operators;
  readonly groups: GroupMembers;
  readonly logger: Logger;
}

/** `/notif help`, about the commands of the table that it stands in. */
export function helpCommand(others: readonly Command[], parts: HelpParts): Command {
  const help: Command = {
    word: 'help',
    usage: '',
    about: 'this list',
    examples: [],
    forOperators: false,
    answer: async (_asked, { userId, reply }) => {
      await reply.show(helpMessage([...others, help], parts.environments, await isOperator(userId, parts)));
    },
  };
  return help;
}

/** Where Slack does not tell who is in a group, help leaves out what only operators can do, rather than be missing itself. */
async function isOperator(userId: string, { operators, groups, logger }: HelpParts): Promise<boolean> {
  try {
    await requireOperator(userId, operators, groups);
    return true;
  } catch (error) {
    if (!(error instanceof NotOperatorError))
      logger.warn({ err: error }, 'the members of a user group could not be read');
    return false;
  }
}
