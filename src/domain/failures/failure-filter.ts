import { asIs, fold } from '../fold.ts';
import type { FilterKey } from '../input/filters.ts';
import { boundedId } from '../text/bounded-id.ts';
import { scrub } from '../text/scrub.ts';
import { maskedId } from '../text/shown-id.ts';
import type { Failure } from './failure.ts';

interface FilterRow {
  /** The command's key: `workflow:order-shipped`. */
  readonly key: FilterKey;
  /** Its noun in answers: 'Only workflow order-shipped'. */
  readonly noun: string;
  readonly button: string;
  /** What its values are: names that Notif has seen, IDs that only the service knows, or words of a closed list. */
  readonly values: 'names' | 'IDs' | 'closed list';
  /** IDs are compared exactly, names without case. */
  readonly compares: 'without case' | 'exactly';
  /** What is compared of a failure; one match is enough. */
  readonly of: (failure: Failure) => readonly (string | null)[];
}

/** In the order in which filters are named. */
export const FAILURE_FILTERS = {
  workflows: {
    key: 'workflow',
    noun: 'workflow',
    button: 'w',
    values: 'names',
    compares: 'without case',
    of: ({ workflow, workflowName }) => [workflow, workflowName],
  },
  channels: {
    key: 'channel',
    noun: 'channel',
    button: 'c',
    values: 'names',
    compares: 'without case',
    of: ({ channel }) => [channel],
  },
  providers: {
    key: 'provider',
    noun: 'provider',
    button: 'p',
    values: 'names',
    compares: 'without case',
    of: ({ provider }) => [provider],
  },
  subscribers: {
    key: 'subscriber',
    noun: 'subscriber',
    button: 's',
    values: 'IDs',
    compares: 'exactly',
    of: ({ subscriberId }) => [subscriberId],
  },
  severities: {
    key: 'severity',
    noun: 'severity',
    button: 'sev',
    values: 'names',
    compares: 'without case',
    of: ({ severity }) => [severity],
  },
  verdicts: {
    key: 'verdict',
    noun: 'verdict',
    button: 'vd',
    values: 'closed list',
    compares: 'exactly',
    of: ({ verdict }) => [verdict],
  },
  topics: {
    key: 'topic',
    noun: 'topic',
    button: 't',
    values: 'names',
    compares: 'without case',
    of: ({ topics }) => topics,
  },
  contexts: {
    key: 'context',
    noun: 'context',
    button: 'x',
    values: 'names',
    compares: 'exactly',
    of: ({ contexts }) => contexts,
  },
  tags: {
    key: 'tag',
    noun: 'tag',
    button: 'g',
    values: 'names',
    compares: 'without case',
    of: ({ tags }) => tags,
  },
  transactions: {
    key: 'tx',
    noun: 'transaction',
    button: 'tx',
    values: 'IDs',
    compares: 'exactly',
    of: ({ transactionId }) => [transactionId],
  },
} as const satisfies Readonly<Record<string, FilterRow>>;

export type FilterName = keyof typeof FAILURE_FILTERS;

export type FilterWith<Values extends FilterRow['values']> = {
  [Name in FilterName]: (typeof FAILURE_FILTERS)[Name]['values'] extends Values ? Name : never;
}[FilterName];

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

/** `filter` is prepared once. Both are whole, or both as stored. */
export function matcherOf(filter: FailureFilter): (failure: Failure) => boolean {
  const conditions = FILTER_NAMES.filter((name) => filter[name].length > 0).map((name) => {
    const { of, compares }: FilterRow = FAILURE_FILTERS[name];
    const as = compares === 'exactly' ? asIs : fold;
    const wanted = new Set(filter[name].map(as));
    return (failure: Failure) => of(failure).some((value) => value !== null && wanted.has(as(value)));
  });
  return (failure) => conditions.every((isMet) => isMet(failure));
}
