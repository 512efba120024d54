import type { GroupMembers } from '../access/require-operator.ts';
import type { Workspace } from '../ports/workspace.ts';

/** Slack answers a hundred user lookups a minute, and others are under way. */
export const MOST_ASKED = 40;

export async function goneAmong(ids: readonly string[], workspace: Pick<Workspace, 'person'>): Promise<string[]> {
  const people = await Promise.all(ids.map((id) => workspace.person(id)));
  return ids.filter((_, index) => people[index] === null);
}

export async function groupTroublesOf(
  ids: readonly string[],
  { workspace, groups }: { readonly workspace: Pick<Workspace, 'userGroups'>; readonly groups: GroupMembers },
): Promise<{ unused: string[]; empty: string[] }> {
  if (ids.length === 0) return { unused: [], empty: [] };
  const inUse = new Set((await workspace.userGroups()).map(({ id }) => id));
  const used = ids.filter((id) => inUse.has(id));
  const members = await Promise.all(used.map((id) => groups.membersOf(id)));
  return {
    unused: ids.filter((id) => !inUse.has(id)),
    empty: used.filter((_, index) => members[index]?.length === 0),
  };
}
