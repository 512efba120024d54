import { NotOperatorError } from '../domain/errors.ts';
import type { Logger } from '../domain/logger.ts';
import type { Operators } from '../domain/operators.ts';
import { type GroupMembers, requireOperator } from './require-operator.ts';

export interface OperatorParts {
  readonly operators: Operators;
  readonly groups: GroupMembers;
  readonly logger: Logger;
}

/**
 * Whether somebody may change things, for what is only shown: where Slack does not tell who is in a group, what only operators can do is
 * left out. Before a change it is `requireOperator` that is asked.
 */
export async function isOperator(userId: string, { operators, groups, logger }: OperatorParts): Promise<boolean> {
  try {
    await requireOperator(userId, operators, groups);
    return true;
  } catch (error) {
    if (!(error instanceof NotOperatorError))
      logger.warn({ err: error }, 'the members of a user group could not be read');
    return false;
  }
}
