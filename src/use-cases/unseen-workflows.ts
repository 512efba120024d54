import { fold } from '../domain/fold.ts';
import { nearest } from '../domain/nearest.ts';

export interface WorkflowNamesStore {
  /** Identifiers and names of an environment's workflows. */
  workflowNames(environment: string): Promise<readonly string[]>;
}

/** `meant`: a similar name that was seen. */
export interface UnseenWorkflow {
  readonly name: string;
  readonly meant: string | null;
}

/** Returns those of some workflows that no environment has: "no failures" would say nothing about the one that was meant. */
export async function unseenWorkflows(
  workflows: readonly string[],
  environments: readonly { readonly name: string }[],
  store: WorkflowNamesStore,
): Promise<UnseenWorkflow[]> {
  if (workflows.length === 0) return [];
  const names = (await Promise.all(environments.map(({ name }) => store.workflowNames(name)))).flat();
  const known = new Set(names.map(fold));
  return workflows.filter((one) => !known.has(fold(one))).map((name) => ({ name, meant: nearest(name, names) }));
}
