import { z } from 'zod';
import { MASK } from '../lib/text/mask.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import type { Failure } from './failure.ts';

const Label = z.object({ kind: z.enum(['context', 'topic', 'tag', 'severity', 'domain']), value: z.string() });
export type Label = z.output<typeof Label>;

/** A label that nearly all failures of an outbreak have, and few events usually. */
export const SharedLabel = z.object({
  label: Label,
  /** So many of the `total` events that were compared have it. */
  events: z.number(),
  total: z.number(),
  /** Only the newest of the outbreak's failures were compared. */
  isOfNewest: z.boolean(),
  /** The label's share, 0 to 1, of the workflows' usual traffic. */
  usually: z.number(),
});
export type SharedLabel = z.output<typeof SharedLabel>;

export function labelsOf(
  labeled: Pick<Failure, 'contexts' | 'topics' | 'tags' | 'severity'> & { domains: readonly string[] },
): Label[] {
  const labels = (kind: Label['kind'], values: readonly string[]) =>
    values.map((value) => ({ kind, value: boundedId(value) }));
  return [
    ...labels('context', labeled.contexts),
    ...labels('topic', labeled.topics),
    ...labels('tag', labeled.tags),
    ...labels('severity', labeled.severity === null ? [] : [labeled.severity]),
    ...labels('domain', labeled.domains),
  ];
}

export const labelKey = ({ kind, value }: Label): string => `${kind} ${value}`;

/** An event of usual traffic, to compare those that fail with. */
export interface SampledEvent {
  /** Its identifier; '': deleted. */
  workflow: string;
  /** By `labelKey`. */
  readonly labels: ReadonlySet<string>;
}

/** What fewer failed events share can be chance. */
export const FEWEST_EVENTS = 10;
/** Of fewer events, a label's usual share is a guess. */
const FEWEST_SAMPLED = 30;
/** Shares, from 0 to 1: of the failed events that have the label, and of usual ones that would be no news. */
const NEARLY_ALL = 0.9;
const MOST_USUALLY = 0.5;

/** Returns the label that is rarest in usual traffic, or 'unknown' of too few events. */
export function sharedLabel(
  failed: readonly { workflow: string; labels: readonly Label[] }[],
  traffic: readonly SampledEvent[],
): Omit<SharedLabel, 'isOfNewest'> | 'unknown' | null {
  const workflows = new Set(failed.map(({ workflow }) => workflow));
  const sample = traffic.filter(({ workflow }) => workflows.has(workflow));
  if (failed.length < FEWEST_EVENTS || sample.length < FEWEST_SAMPLED) return 'unknown';
  const labels = failed.map((event) => new Map(event.labels.map((label) => [labelKey(label), label])));
  // A label of nearly all events is on one of the first. Others can be thousands.
  const first = labels.slice(0, Math.ceil(failed.length / 10) + 1);
  const [rarest = null] = [...new Map(first.flatMap((each) => [...each]))]
    .map(([key, label]) => ({ key, label, events: labels.filter((each) => each.has(key)).length }))
    .filter(({ label, events }) => events >= NEARLY_ALL * failed.length && !label.value.includes(MASK))
    .map(({ key, ...shared }) => {
      const usually = sample.filter((event) => event.labels.has(key)).length / sample.length;
      return { ...shared, total: failed.length, usually };
    })
    .filter(({ usually }) => usually < MOST_USUALLY)
    .toSorted((a, b) => a.usually - b.usually);
  return rarest;
}
