import { z } from 'zod';
import { MASK } from '../lib/text/mask.ts';
import { boundedId } from '../lib/text/shown-id.ts';
import { eventKey, type TriggeredEvent } from '../service/event.ts';
import { domainsOf } from './domains.ts';
import { storableLabels } from './filter.ts';
import type { Failure } from './judge.ts';

const Label = z.object({ kind: z.enum(['context', 'topic', 'tag', 'severity', 'domain']), value: z.string() });
export type Label = z.output<typeof Label>;

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

const labelKey = ({ kind, value }: Label) => `${kind} ${value}`;

interface SampledEvent {
  workflow: string;
  readonly labels: ReadonlySet<string>;
}

interface TrafficEvent extends SampledEvent {
  person: string | undefined;
  domains: readonly string[];
}

const MOST_EVENTS = 1_000;
const MOST_LABELS = 100;
const FEWEST_PEOPLE = 3;

/** The newest events of each environment, to compare those that fail with. */
export interface Traffic {
  add(environment: string, events: readonly TriggeredEvent[]): void;
  sample(environment: string): readonly SampledEvent[];
  /** Domains of so many people that they name none. */
  commonDomains(environment: string): ReadonlySet<string>;
}

export function createTraffic(): Traffic {
  const samples = new Map<string, Map<string, TrafficEvent>>();
  return {
    add(environment, events) {
      const sample = samples.get(environment) ?? new Map<string, TrafficEvent>();
      samples.set(environment, sample);
      for (const event of events) sample.set(eventKey(event), sampled(event));
      for (const key of [...sample.keys()].slice(0, -MOST_EVENTS)) sample.delete(key);
    },
    sample: (environment) => [...(samples.get(environment)?.values() ?? [])],
    commonDomains(environment) {
      const people = new Map<string, Set<string>>();
      for (const { person, domains } of samples.get(environment)?.values() ?? []) {
        if (person === undefined) continue;
        for (const domain of domains) people.set(domain, (people.get(domain) ?? new Set()).add(person));
      }
      return new Set([...people].filter(([, { size }]) => size >= FEWEST_PEOPLE).map(([domain]) => domain));
    },
  };
}

/** Few events are ever compared, and scrubbing labels is slow. */
function sampled(event: TriggeredEvent): TrafficEvent {
  const { workflow, contextKeys, topicKeys, tags, severity } = event;
  const domains = domainsOf(event);
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const shown = { contexts: most(contextKeys), topics: most(topicKeys), tags: most(tags) };
  let known: ReadonlySet<string> | undefined;
  return {
    workflow: workflow?.identifier ?? '',
    person: event.subscriber?.subscriberId,
    domains,
    get labels() {
      known ??= new Set(
        labelsOf({ ...storableLabels(shown), severity, domains })
          .slice(0, MOST_LABELS)
          .map(labelKey),
      );
      return known;
    },
  };
}

export const SharedLabel = z.object({
  label: Label,
  events: z.number(),
  total: z.number(),
  isOfNewest: z.boolean(),
  /** The label's share, 0 to 1, of the workflows' usual traffic. */
  usually: z.number(),
});
export type SharedLabel = z.output<typeof SharedLabel>;

export const FEWEST_EVENTS = 10;
const FEWEST_SAMPLED = 30;
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
