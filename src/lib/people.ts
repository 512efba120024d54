import { NotOperatorError, PersonUnknownError } from './errors.ts';
import { isUserGroup } from './slack-ids.ts';
import type { Workspace } from './workspace.ts';

export type Access = 'everyone' | 'members' | 'operators';

export type Operators =
  | { who: 'everybody' }
  | { who: 'nobody' }
  | { who: 'listed'; users: readonly string[]; groups: readonly string[] };

export function parseOperators(text: string): Operators {
  const ids = text.split(/[,\s]+/).filter((id) => id !== '');
  if (ids.includes('*')) return { who: 'everybody' };
  if (ids.length === 0) return { who: 'nobody' };
  return { who: 'listed', users: ids.filter((id) => !isUserGroup(id)), groups: ids.filter(isUserGroup) };
}

export async function requireOperator(
  userId: string,
  operators: Operators,
  workspace: Pick<Workspace, 'membersOf'>,
): Promise<void> {
  if (operators.who === 'everybody') return;
  if (operators.who === 'nobody') throw new NotOperatorError();
  if (operators.users.includes(userId)) return;
  const members = await Promise.allSettled(operators.groups.map((group) => workspace.membersOf(group)));
  if (members.some((group) => group.status === 'fulfilled' && group.value.includes(userId))) return;
  const unknown = members.find((group) => group.status === 'rejected');
  throw unknown === undefined ? new NotOperatorError() : new PersonUnknownError(unknown.reason);
}
