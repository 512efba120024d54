import { nearest } from '../lib/closed-list.ts';
import { fold } from '../lib/fold.ts';
import type { Db } from '../store/db.ts';
import { knownNames } from './filter-conditions.ts';

export interface UnseenWorkflow {
  readonly name: string;
  /** A similar name that was seen. */
  readonly similar: string | null;
}

/** Returns those of some workflows that no environment has: "no failures" would say nothing about the one that somebody has in mind. */
export async function unseenWorkflows(
  db: Db,
  workflows: readonly string[],
  environments: readonly { readonly name: string }[],
): Promise<UnseenWorkflow[]> {
  if (workflows.length === 0) return [];
  const { workflowNames } = knownNames(db);
  const names = (await Promise.all(environments.map(({ name }) => workflowNames(name)))).flat();
  const known = new Set(names.map(fold));
  const unseen = workflows.filter((name) => !known.has(fold(name)));
  return unseen.map((name) => ({ name, similar: nearest(name, names) }));
}
