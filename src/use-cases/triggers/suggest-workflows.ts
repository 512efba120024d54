import { fold } from '../../domain/fold.ts';
import type { Workflow } from '../../domain/service/event.ts';

export interface WorkflowStore {
  workflows(environment: string): Promise<readonly Workflow[]>;
}

/** The API can't list workflows, so only those of checked events are known. */
export async function suggestWorkflows(environment: string, typed: string, store: WorkflowStore): Promise<Workflow[]> {
  const wanted = fold(typed.trim());
  const known = await store.workflows(environment);
  const rank = ({ identifier, name }: Workflow): number => {
    const names = [fold(identifier), fold(name)];
    if (names.some((one) => one.startsWith(wanted))) return 0;
    return names.some((one) => one.includes(wanted)) ? 1 : 2;
  };
  return known
    .map((workflow) => ({ workflow, rank: rank(workflow) }))
    .filter((one) => one.rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .map((one) => one.workflow);
}

/** Returns the workflow that somebody named by its identifier or, in any case, by either name; null if none, `several` if it's unclear. */
export async function workflowNamed(
  environment: string,
  typed: string,
  store: WorkflowStore,
): Promise<Workflow | 'several' | null> {
  const known = await store.workflows(environment);
  const wanted = fold(typed.trim());
  const ways: ((workflow: Workflow) => boolean)[] = [
    ({ identifier }) => identifier === typed,
    ({ identifier }) => fold(identifier) === wanted,
    ({ name }) => fold(name) === wanted,
  ];
  const [found = []] = ways.map((isMeant) => known.filter(isMeant)).filter(({ length }) => length > 0);
  return new Set(found.map(({ identifier }) => identifier)).size > 1 ? 'several' : (found[0] ?? null);
}
