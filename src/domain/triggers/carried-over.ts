import type { TriggeredEvent } from '../service/event.ts';
import { Payload } from '../text/payload.ts';
import { sameJson } from '../text/same-json.ts';

/** What a repeated trigger copies from its event besides the payload, and what can't be copied. */
export interface CarriedOver {
  /** By provider ID; null for none. */
  readonly overrides: Payload | null;
  /** A value for each type; null for none. */
  readonly context: Readonly<Record<string, string>> | null;
  /** Names of overrides that differ from step to step. A trigger has one value for all steps, so the first step's is kept. */
  readonly differing: readonly string[];
  /** Context keys that aren't `type:id`, or whose type already has another ID: a trigger has one ID per type. */
  readonly unfit: readonly string[];
}

/** Converts the contract's `overrides` of "ActivityJob" and `contextKeys` of "Activity notification" to those of "Trigger event item". */
export function carriedOver({ jobs, contextKeys }: Pick<TriggeredEvent, 'jobs' | 'contextKeys'>): CarriedOver {
  return { ...overridesOf(jobs), ...contextOf(contextKeys) };
}

function overridesOf(jobs: TriggeredEvent['jobs']): Pick<CarriedOver, 'overrides' | 'differing'> {
  const kept = new Map<string, unknown>();
  const differing = new Set<string>();
  for (const [name, value] of jobs.flatMap(({ overrides }) => Object.entries(overrides.forTrigger()))) {
    if (!kept.has(name)) kept.set(name, value);
    else if (!sameJson(kept.get(name), value)) differing.add(name);
  }
  const overrides = new Payload(Object.fromEntries(kept));
  return {
    overrides: overrides.isEmpty ? null : overrides,
    differing: overrides.fields.filter((name) => differing.has(name)),
  };
}

function contextOf(contextKeys: readonly string[]): Pick<CarriedOver, 'context' | 'unfit'> {
  const context = new Map<string, string>();
  const unfit: string[] = [];
  for (const key of new Set(contextKeys)) {
    const colon = key.indexOf(':');
    const [type, id] = [key.slice(0, colon), key.slice(colon + 1)];
    if (colon < 1 || id === '' || context.has(type)) unfit.push(key);
    else context.set(type, id);
  }
  return { context: context.size === 0 ? null : Object.fromEntries(context), unfit };
}
