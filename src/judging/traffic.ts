import { eventKey, type TriggeredEvent } from '../service/event.ts';
import { domainsOf } from './domains.ts';
import { storableLabels } from './filter.ts';
import { labelKey, labelsOf, type SampledEvent } from './labels.ts';

interface TrafficEvent extends SampledEvent {
  /** The subscriber's ID. */
  person: string | undefined;
  domains: readonly string[];
}

/** Memory is bounded by these, in each environment and in each event. */
const MOST_EVENTS = 1_000;
const MOST_LABELS = 100;
/** A domain of fewer people could name one of them. */
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

/** Its labels are scrubbed when they're first asked for: that is slow, and few events are ever compared. */
function sampled(event: TriggeredEvent): TrafficEvent {
  const { workflow, contextKeys, topicKeys, tags, severity } = event;
  const domains = domainsOf(event);
  const most = (labels: readonly string[]) => labels.slice(0, MOST_LABELS);
  const shown = { contexts: most(contextKeys), topics: most(topicKeys), tags: most(tags) };
  let scrubbed: ReadonlySet<string> | undefined;
  return {
    workflow: workflow?.identifier ?? '',
    person: event.subscriber?.subscriberId,
    domains,
    get labels() {
      scrubbed ??= new Set(
        labelsOf({ ...storableLabels(shown), severity, domains })
          .slice(0, MOST_LABELS)
          .map(labelKey),
      );
      return scrubbed;
    },
  };
}
