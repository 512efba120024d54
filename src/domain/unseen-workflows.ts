import type { Workflow } from './event.ts';
import { nearest } from './names.ts';

/** A workflow that was asked for and never seen; `meant` is one that was, of nearly that name. */
export interface UnseenWorkflow {
  readonly name: string;
  readonly meant: string | null;
}

/** Which of the workflows that were asked for none of the seen ones is, by identifier or name, without case. */
export function unseenWorkflows(
  asked: readonly string[],
  seen: readonly Pick<Workflow, 'identifier' | 'name'>[],
): UnseenWorkflow[] {
  const names = [...new Set(seen.flatMap(({ identifier, name }) => [identifier, name]))];
  const known = new Set(names.map((name) => name.toLowerCase()));
  return asked.filter((name) => !known.has(name.toLowerCase())).map((name) => ({ name, meant: nearest(name, names) }));
}
