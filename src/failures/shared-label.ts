import { MASK } from '../lib/text/mask.ts';
import { type Label, labelKey } from './labels.ts';
import type { SampledEvent } from './traffic.ts';

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
  const counts = new Map<string, { readonly label: Label; events: number }>();
  for (const { labels } of failed) {
    for (const [key, label] of new Map(labels.map((label) => [labelKey(label), label]))) {
      const known = counts.get(key) ?? { label, events: 0 };
      counts.set(key, known);
      known.events += 1;
    }
  }
  const [rarest] = [...counts]
    .filter(([, { label, events }]) => events >= NEARLY_ALL * failed.length && !label.value.includes(MASK))
    .map(([key, { label, events }]) => {
      const usually = sample.filter((event) => event.labels.has(key)).length / sample.length;
      return { label, events, of: failed.length, usually };
    })
    .filter(({ usually }) => usually < MOST_USUALLY)
    .toSorted((a, b) => a.usually - b.usually);
  return rarest ?? null;
}
