import type { TriggeredEvent } from '../service/event.ts';
import { eventKey } from '../service/event.ts';
import { labelKey, labelsOf } from './labels.ts';

/** An event of the traffic: its workflow ('' if it has none) and the keys of its labels (`labelKey`). */
export interface SampledEvent {
  readonly workflow: string;
  readonly labels: ReadonlySet<string>;
}

const MOST_EVENTS = 1_000;
/** Of an event with hundreds of topics the first are enough. */
const MOST_LABELS = 100;

/** The last events that this process read, by environment. Gone after a restart, until as many are read. */
export interface Traffic {
  add(environment: string, events: readonly TriggeredEvent[]): void;
  sample(environment: string): readonly SampledEvent[];
}

export function createTraffic(): Traffic {
  const samples = new Map<string, Map<string, SampledEvent>>();
  return {
    add(environment, events) {
      const sample = samples.get(environment) ?? new Map<string, SampledEvent>();
      samples.set(environment, sample);
      for (const event of events) {
        const labels = new Set(labelsOf(event).slice(0, MOST_LABELS).map(labelKey));
        sample.set(eventKey(event), { workflow: event.workflow?.identifier ?? '', labels });
      }
      // A map's keys are in the order in which they were added: the oldest go.
      for (const key of sample.keys()) {
        if (sample.size <= MOST_EVENTS) break;
        sample.delete(key);
      }
    },
    sample: (environment) => [...(samples.get(environment)?.values() ?? [])],
  };
}
