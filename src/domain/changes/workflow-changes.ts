import type { Workflow } from '../service/event.ts';
import { maskedId } from '../text/shown-id.ts';
import type { WorkflowAspect, WorkflowChange } from './change.ts';

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

/**
 * What has changed of a workflow from one event to a newer one; null where nothing has. Only what every event of a workflow carries alike is
 * compared: its name, and the variables that its trigger declares, where both events declare some. Steps, severity and tags are an event's own.
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
