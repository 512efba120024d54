import type { Operators } from '../../domain/access/operators.ts';
import { NotOperatorError } from '../../domain/errors.ts';

export interface GroupMembers {
  membersOf(groupId: string): Promise<readonly string[]>;
}

/** Throws `NotOperatorError`, or the first group's error if a group that may include them is unknown. */
export async function requireOperator(userId: string, operators: Operators, groups: GroupMembers): Promise<void> {
  if (operators.who === 'everybody') return;
  if (operators.who === 'nobody') throw new NotOperatorError(false);
  if (operators.users.includes(userId)) return;
  const unknown: unknown[] = [];
  for (const group of operators.groups) {
    try {
      if ((await groups.membersOf(group)).includes(userId)) return;
    } catch (error) {
      unknown.push(error);
    }
  }
  throw unknown[0] ?? new NotOperatorError(true);
}
