import { oneOf } from '../lib/closed-list.ts';
import type { FilterKey, FilterMap } from '../lib/input/filters.ts';
import { scrub } from '../lib/text/scrub.ts';
import { boundedId, maskedId } from '../lib/text/shown-id.ts';
import { channelAsMeant } from '../service/query.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, type FailureVerdict } from './verdict.ts';

interface FilterRow {
  /** The command's key: `workflow:order-shipped`. */
  readonly key: FilterKey;
  /** Its noun in answers: 'Only workflow order-shipped'. */
  readonly noun: string;
  readonly button: string;
  /** IDs are compared exactly, names without case. */
  readonly compares: 'without case' | 'exactly';
}

/** In the order in which filters are named. */
export const FAILURE_FILTERS = {
  workflows: {
    key: 'workflow',
    noun: 'workflow',
    button: 'w',
    compares: 'without case',
  },
  channels: {
    key: 'channel',
    noun: 'channel',
    button: 'c',
    compares: 'without case',
  },
  providers: {
    key: 'provider',
    noun: 'provider',
    button: 'p',
    compares: 'without case',
  },
  subscribers: {
    key: 'subscriber',
    noun: 'subscriber',
    button: 's',
    compares: 'exactly',
  },
  severities: {
    key: 'severity',
    noun: 'severity',
    button: 'sev',
    compares: 'without case',
  },
  verdicts: {
    key: 'verdict',
    noun: 'verdict',
    button: 'vd',
    compares: 'exactly',
  },
  topics: {
    key: 'topic',
    noun: 'topic',
    button: 't',
    compares: 'without case',
  },
  contexts: {
    key: 'context',
    noun: 'context',
    button: 'x',
    compares: 'exactly',
  },
  tags: {
    key: 'tag',
    noun: 'tag',
    button: 'g',
    compares: 'without case',
  },
  transactions: {
    key: 'tx',
    noun: 'transaction',
    button: 'tx',
    compares: 'exactly',
  },
} as const satisfies Readonly<Record<string, FilterRow>>;

export type FilterName = keyof typeof FAILURE_FILTERS;

/** Which failures to return: identifiers or names, as people type them. An empty list matches all. */
export type FailureFilter = { readonly [Name in FilterName]: readonly string[] };

export const FILTER_NAMES = Object.keys(FAILURE_FILTERS) as FilterName[];

export function filterBy(listFor: (name: FilterName, row: FilterRow) => readonly string[]): FailureFilter {
  const lists = FILTER_NAMES.map((name) => [name, listFor(name, FAILURE_FILTERS[name])] as const);
  return Object.fromEntries(lists) as FailureFilter;
}

export const ALL_FAILURES: FailureFilter = filterBy(() => []);

/** Returns subscriber IDs as stored and compared: contacts are masked. Such an ID stays as it is. */
export function keptSubscribers(ids: readonly string[]): string[] {
  return ids.map((id) => boundedId(maskedId(id)));
}

/** Returns contexts or tags as stored and compared: secrets and contacts are masked. Such a label stays as it is. */
export function keptLabels(labels: readonly string[]): string[] {
  return labels.map((label) => boundedId(scrub(label)));
}

export function asKept(filter: FailureFilter): FailureFilter {
  return {
    ...filter,
    subscribers: keptSubscribers(filter.subscribers),
    contexts: keptLabels(filter.contexts),
    tags: keptLabels(filter.tags),
  };
}

/** Values that mean the same count once. Throws `InputError` for an unknown verdict. */
export function typedFilter(filters: FilterMap): FailureFilter {
  return filterBy((name, { key }) => [...new Set((READERS[name] ?? asTyped)(filters[key] ?? []))]);
}

function asTyped(values: readonly string[]): readonly string[] {
  return values;
}

type Reader = (values: readonly string[]) => readonly string[];

/** Parsers for the filters whose values aren't used as typed. A closed list has one, which refuses all other words. */
const READERS: Readonly<Partial<Record<FilterName, Reader>>> = {
  channels: (values) => values.map(channelAsMeant),
  severities: (values) => values.map((severity) => severity.toLowerCase()),
  verdicts: (values) => values.map(typedVerdict),
};

const VERDICTS: readonly FailureVerdict[] = [...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS];

/** Throws `InputError`: the list is closed. */
export function typedVerdict(typed: string): FailureVerdict {
  return oneOf({ key: 'verdict' }, typed, VERDICTS);
}
