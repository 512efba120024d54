import type { Workflow } from '../service/event.ts';
import { maskedId } from '../text/shown-id.ts';
import type { WorkflowAspect, WorkflowChange } from './change.ts';

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

/**
 * Returns what has changed of a workflow between an event and a newer one; null if nothing has. Compares only what every event of a
 * workflow shares: its name, and the variables that its trigger declares, if both events declare some. Steps, severity and tags belong to
 * an event.
 */
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
