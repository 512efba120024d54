import { oneOf } from '../lib/closed-list.ts';
import { FilterError, type FilterKey, type FilterMap } from '../lib/input/filters.ts';
import { scrub } from '../lib/text/scrub.ts';
import { boundedId, maskedId, type Storable } from '../lib/text/shown-id.ts';
import { channelKey } from '../service/channels.ts';
import { RECORDED_VERDICTS } from './verdict.ts';

/** How a filter is typed, and what its values are called. */
interface FailureFilterWords<Key extends FilterKey = FilterKey> {
  key: Key;
  noun: string;
}

const row = <Key extends FilterKey>(key: Key, noun: string = key): FailureFilterWords<Key> => ({ key, noun });

export const FAILURE_FILTERS = {
  workflows: row('workflow'),
  channels: row('channel'),
  providers: row('provider'),
  subscribers: row('subscriber'),
  severities: row('severity'),
  verdicts: row('verdict'),
  topics: row('topic'),
  contexts: row('context'),
  tags: row('tag'),
  domains: row('domain'),
  transactions: row('tx', 'transaction'),
};

export type FilterName = keyof typeof FAILURE_FILTERS;

/** Values that a failure has one of, for each name; an empty list covers all. */
export type FailureFilter = { [Name in FilterName]: readonly string[] };

export const FILTER_NAMES = Object.keys(FAILURE_FILTERS) as FilterName[];

export function filterBy(listFor: (name: FilterName, words: FailureFilterWords) => readonly string[]): FailureFilter {
  const lists = FILTER_NAMES.map((name) => [name, listFor(name, FAILURE_FILTERS[name])] as const);
  return Object.fromEntries(lists) as FailureFilter;
}

export const filterMapOf = (filter: FailureFilter): FilterMap =>
  Object.fromEntries(FILTER_NAMES.map((name) => [FAILURE_FILTERS[name].key, filter[name]] as const));

export const ALL_FAILURES: FailureFilter = filterBy(() => []);

export const storableId = (id: string): Storable => boundedId(maskedId(id));

export type StorableLabels = { [Name in 'topics' | 'contexts' | 'tags']: Storable[] };

export function storableLabels({ topics, contexts, tags }: Pick<FailureFilter, keyof StorableLabels>): StorableLabels {
  const scrubbed = (labels: readonly string[]) => labels.map((label) => boundedId(scrub(label)));
  return { topics: topics.map(storableId), contexts: scrubbed(contexts), tags: scrubbed(tags) };
}

export type StorableFilter = FailureFilter & StorableLabels & { subscribers: Storable[] };

export function storableFilter(filter: FailureFilter): StorableFilter {
  return { ...filter, ...storableLabels(filter), subscribers: filter.subscribers.map(storableId) };
}

/** Values that are stored otherwise than they can be typed. */
const AS_STORED: { [Name in FilterName]?: (value: string) => string } = {
  channels: channelKey,
  severities: (severity) => {
    if (severity.toLowerCase() !== 'critical') return severity.toLowerCase();
    const rule = 'takes high, medium, low or none. Critical is a mark of workflows, which escalate: is about.';
    throw new FilterError('severity', rule);
  },
  verdicts: (verdict) => oneOf('verdict', verdict, RECORDED_VERDICTS),
  domains: (domain) => domain.toLowerCase().replace(/^.*@/, ''),
};

export function typedFilter(filters: FilterMap): FailureFilter {
  const typed = filterBy((name, { key }) => (filters[key] ?? []).map((value) => AS_STORED[name]?.(value) ?? value));
  const storable = storableFilter(typed);
  return filterBy((name) => [...new Set(storable[name])]);
}

/** An incident has one channel and provider: such a filter covers all of its failures or none. */
export function coversWholeIncidents(filter: FailureFilter): boolean {
  return FILTER_NAMES.every((name) => name === 'channels' || name === 'providers' || filter[name].length === 0);
}
