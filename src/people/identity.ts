import { lastOfEach } from '../lib/group-by.ts';
import type { Operators, Workspace } from '../lib/workspace.ts';
import type { Db } from '../store/db.ts';
import { personIds } from './tables.ts';

/** In an Enterprise Grid, a person has an ID of the organization, `person`, and can have others in workspaces (`U…`, `W…`). */
export interface Identity {
  person: string;
  /** All known, also `person`. */
  ids: readonly string[];
}

export async function noteIdentity(db: Db, { person, ids }: Identity): Promise<void> {
  const others = ids.filter((id) => id !== person).map((id) => ({ id, person }));
  if (others.length === 0) return;
  await db.insert(personIds).values(others).onConflictDoUpdate({ target: personIds.id, set: { person } });
}

/** Two IDs are of the same person if it returns the same for them. */
export type PersonOf = (id: string | null) => string | null;

export async function knownPeople(db: Db): Promise<PersonOf> {
  const rows = await db.select().from(personIds);
  const known = new Map(rows.map(({ id, person }) => [id, person]));
  return (id) => (id === null ? null : (known.get(id) ?? id));
}

interface OperatorsCtx {
  db: Db;
  operators: Pick<Operators, 'users' | 'groups'>;
  workspace: Pick<Workspace, 'membersOf'>;
}

/** Each person once, whatever IDs of theirs are listed. Throws what Slack says where it can't be asked about a group. */
export async function operatorsNow({ db, workspace, operators }: OperatorsCtx): Promise<readonly string[]> {
  const groups = await Promise.all(operators.groups.map((group) => workspace.membersOf(group)));
  const personOf = await knownPeople(db);
  const listed = [...operators.users, ...groups.flatMap(({ members }) => members)];
  return lastOfEach(listed, personOf);
}
