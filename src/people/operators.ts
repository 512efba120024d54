import type { Operators, Workspace } from '../lib/workspace.ts';
import type { Db } from '../store/db.ts';
import { knownPeople } from './identity.ts';

export interface OperatorsCtx {
  db: Db;
  operators: Pick<Operators, 'users' | 'groups'>;
  workspace: Pick<Workspace, 'membersOf'>;
}

/** Each person once, whatever IDs of theirs are listed. Throws what Slack says where it can't be asked about a group. */
export async function operatorsNow({ db, workspace, operators }: OperatorsCtx): Promise<readonly string[]> {
  const groups = await Promise.all(operators.groups.map((group) => workspace.membersOf(group)));
  const personOf = await knownPeople(db);
  const listed = [...operators.users, ...groups.flatMap(({ members }) => members)];
  return [...new Map(listed.map((id) => [personOf(id), id])).values()];
}
