import type { Environment } from '../domain/environment.ts';
import { InputError } from '../domain/errors.ts';
import type { FailureReader, FailureStore } from '../use-cases/find-failures.ts';
import type { TriggerReader } from '../use-cases/follow-trigger.ts';
import type { EventLookup } from '../use-cases/look-up-event.ts';
import type { GroupMembers } from '../use-cases/require-operator.ts';
import type { ProgressReporter } from '../use-cases/run-trigger.ts';
import type { WorkflowStore } from '../use-cases/suggest-workflows.ts';
import type { EventTrigger, TriggerStore } from '../use-cases/trigger-events.ts';
import type { DigestPages } from './digest/pages.ts';
import type { AnsweringParts } from './doors/answering.ts';

/** Everything that the doors need; the app hands it in. */
export interface SlackParts extends AnsweringParts {
  /** At least one; the first is meant where none is named. */
  readonly environments: readonly Environment[];
  readonly serviceOf: (environment: string) => Service;
  readonly store: Store;
  readonly groups: GroupMembers;
  readonly reporter: ProgressReporter;
  readonly now: () => Date;
  /** A new id, for intents and transactions; up to 60 characters. */
  readonly newId: () => string;
  /** How far back failures can be asked for. Milliseconds. */
  readonly horizonMs: number;
  /** Aborts when the process stops: what follows a trigger ends then, and is taken up again after the restart. */
  readonly signal: AbortSignal;
}

export type Service = EventLookup & FailureReader & EventTrigger & TriggerReader;
export type Store = FailureStore & TriggerStore & WorkflowStore & DigestPages;

/** The environment that is meant by a name or label, the first without one. Throws `InputError` for an unknown one. */
export function environmentNamed(name: string | undefined, environments: readonly Environment[]): Environment {
  const wanted = name?.toLowerCase();
  const found = environments.find(
    (one) => wanted === undefined || one.name.toLowerCase() === wanted || one.label.toLowerCase() === wanted,
  );
  if (found !== undefined) return found;
  const known = environments.map((one) => one.name);
  throw new InputError('env', `${name} is no environment. There is ${known.join(', ')}.`, `env:${known[0] ?? ''}`);
}
