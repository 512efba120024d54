import { MASK } from '../lib/text/mask.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';

/** Something that some events have and others don't: 'context' 'tenant:acme'. */
export interface Label {
  readonly kind: 'context' | 'topic' | 'tag' | 'severity';
  readonly value: string;
}

export function labelsOf(event: Pick<TriggeredEvent, 'contextKeys' | 'topicKeys' | 'tags' | 'severity'>): Label[] {
  const labels = (kind: Label['kind'], values: readonly string[]) => values.map((value) => ({ kind, value }));
  return [
    ...labels('context', event.contextKeys),
    ...labels('topic', event.topicKeys),
    ...labels('tag', event.tags),
    ...labels('severity', event.severity === null ? [] : [event.severity]),
  ];
}

function labelKey({ kind, value }: Label): string {
  return `${kind} ${value}`;
}

/** An event of the traffic: its workflow ('' if it has none) and the keys of its labels (`labelKey`). */
export interface SampledEvent {
  readonly workflow: string;
  readonly labels: ReadonlySet<string>;
}

const MOST_EVENTS = 1_000;
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

export interface SharedLabel {
  readonly label: Label;
  readonly events: number;
  readonly of: number;
  readonly isOfNewest: boolean;
  /** The share of the traffic that has it, from 0 to 1. */
  readonly usually: number;
}

export interface FailedEvent {
  readonly workflow: string;
  readonly labels: readonly Label[];
}

/** Fewer events are ignored: a handful has something in common by chance. */
export const FEWEST_EVENTS = 10;
const FEWEST_SAMPLED = 30;
const NEARLY_ALL = 0.9;
const MOST_USUALLY = 0.5;

/** Of several, the rarest. Compared with the traffic of the same workflows; a label that was masked before it was stored isn't. */
export function sharedLabel(
  failed: readonly FailedEvent[],
  traffic: readonly SampledEvent[],
): Omit<SharedLabel, 'isOfNewest'> | null {
  const workflows = new Set(failed.map(({ workflow }) => workflow));
  const sample = traffic.filter(({ workflow }) => workflows.has(workflow));
  if (failed.length < FEWEST_EVENTS || sample.length < FEWEST_SAMPLED) return null;
  const labels = failed.map((event) => new Map(event.labels.map((label) => [labelKey(label), label])));
  const [rarest] = [...new Map(labels.flatMap((each) => [...each]))]
    .map(([key, label]) => ({ key, label, events: labels.filter((each) => each.has(key)).length }))
    .filter(({ label, events }) => events >= NEARLY_ALL * failed.length && !label.value.includes(MASK))
    .map(({ key, label, events }) => {
      const usually = sample.filter((event) => event.labels.has(key)).length / sample.length;
      return { label, events, of: failed.length, usually };
    })
    .filter(({ usually }) => usually < MOST_USUALLY)
    .toSorted((a, b) => a.usually - b.usually);
  return rarest ?? null;
}
