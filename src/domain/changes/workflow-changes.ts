import type { Workflow } from '../service/event.ts';
import { maskedId } from '../text/shown-id.ts';
import type { WorkflowAspect, WorkflowChange } from './change.ts';

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

/** Compares only what all events of a workflow share: its name, and the variables declared by its trigger, if both events declare some. */
export function workflowChange(was: Compared, is: Compared): WorkflowChange | null {
  const aspects: WorkflowAspect[] = [
    ...(declaresOthers(was.variables, is.variables) ? (['variables-changed'] as const) : []),
    ...(was.name === is.name ? [] : (['renamed'] as const)),
  ];
  if (aspects.length === 0) return null;
  return { kind: 'workflow', identifier: is.identifier, name: maskedId(is.name), aspects };
}

function declaresOthers(was: readonly string[], is: readonly string[]): boolean {
  if (was.length === 0 || is.length === 0) return false;
  const inOrder = (names: readonly string[]) => JSON.stringify([...new Set(names)].sort());
  return inOrder(was) !== inOrder(is);
}
