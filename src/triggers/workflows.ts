import { fold } from '../lib/fold.ts';
import type { Workflow } from '../service/event.ts';

/** @param known those of checked events: the API can't list workflows. */
export function suggestWorkflows(known: readonly Workflow[], typed: string): Workflow[] {
  const wanted = fold(typed.trim());
  const names = ({ identifier, name }: Workflow) => [fold(identifier), fold(name)];
  const found = known.filter((workflow) => names(workflow).some((name) => name.includes(wanted)));
  const startsSo = (workflow: Workflow) => names(workflow).some((name) => name.startsWith(wanted));
  return [...found.filter(startsSo), ...found.filter((workflow) => !startsSo(workflow))];
}

/** Returns the workflow that somebody named by its identifier or, in any case, by either name; null if none, `several` if it's unclear. */
export function workflowNamed(known: readonly Workflow[], typed: string): Workflow | 'several' | null {
  const wanted = fold(typed.trim());
  const ways: ((workflow: Workflow) => boolean)[] = [
    ({ identifier }) => identifier === typed,
    ({ identifier }) => fold(identifier) === wanted,
    ({ name }) => fold(name) === wanted,
  ];
  const [found = []] = ways.map((isMeant) => known.filter(isMeant)).filter(({ length }) => length > 0);
  return new Set(found.map(({ identifier }) => identifier)).size > 1 ? 'several' : (found[0] ?? null);
}
