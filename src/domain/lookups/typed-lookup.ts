import type { Environment } from '../environment.ts';
import { InputError } from '../errors.ts';
import { FAILURE_FILTERS, FILTER_NAMES } from '../failures/failure-filter.ts';
import { parseAddresses } from '../input/addresses.ts';
import { type CommandText, EXAMPLES, FILTER_KEYS, type FilterKey, writtenFilters } from '../input/filters.ts';
import { eventIdOrTransaction } from '../input/ids.ts';
import { type LookupTarget, MOST_RECOGNISED, type Recognised, recognise } from '../input/lookup-target.ts';

/** Filters that are enough for a lookup on their own. */
const ID_FILTERS = new Set<string>(['subscriber', 'email', 'tx', 'env'] satisfies FilterKey[]);
/** Those of `/notif failures`. */
const FAILURE_KEYS = new Set<string>([
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  'email',
  'since',
  'until',
  'env',
]);

/** Returns whether what was typed is only filters that name what to look up. Throws an `InputError` for filters that need a command. */
export function isOnlyIds({ words, filters }: CommandText): boolean {
  const keys = Object.keys(filters).filter((key) => key !== 'env');
  if (words.length > 0 || keys.length === 0) return false;
  if (keys.every((key) => ID_FILTERS.has(key))) return true;
  const isOfFailures = keys.every((key) => FAILURE_KEYS.has(key));
  const example = isOfFailures ? writtenFilters(filters) : 'channel:email';
  throw new InputError('command', 'Filters need a command.', `/notif failures ${example}`);
}

/** Longer ones aren't recognized in a text either. */
const LONGEST_SUBSCRIBER_ID = 200;

/**
 * Returns what to look up: what is recognized in the words, and the values of the filters that name it, whatever these look like; without
 * duplicates, at most `limit`. Throws an `InputError` for a value that can't be one of its filter.
 */
export function typedTargets(
  { words, filters: { subscriber = [], email = [], tx = [] } }: CommandText,
  environments: readonly Environment[],
  limit: number,
): Recognised[] {
  const named: LookupTarget[] = [
    ...tx.map(eventIdOrTransaction),
    ...subscriber.map(subscriberTarget),
    ...parseAddresses(email).map((id) => ({ kind: 'email', id }) as const),
  ];
  const found = [
    ...recognise(words.join(' '), environments, limit),
    ...named.map((target) => ({ target, environment: null })),
  ];
  const isFirst = ({ target: { kind, id } }: Recognised, index: number) =>
    found.findIndex(({ target }) => target.kind === kind && target.id === id) === index;
  return found.filter(isFirst).slice(0, limit);
}

function subscriberTarget(id: string): LookupTarget {
  if (id.length <= LONGEST_SUBSCRIBER_ID) return { kind: 'subscriber', id };
  const what = `A subscriber ID has at most ${LONGEST_SUBSCRIBER_ID} characters.`;
  throw new InputError('subscriber', what, EXAMPLES.subscriber);
}

/** Throws an `InputError` for a filter that a lookup can't apply, if there is anything to look up. */
export function refuseLookupFilters(typed: CommandText, environments: readonly Environment[]): void {
  const refused = FILTER_KEYS.find((key) => typed.filters[key] !== undefined && !ID_FILTERS.has(key));
  if (refused === undefined) return;
  const [found, ...others] = typedTargets(typed, environments, MOST_RECOGNISED);
  if (found === undefined) return;
  const { subscriber, email, tx, ...filters } = typed.filters;
  const isOfFailures = Object.keys(filters).every((key) => FAILURE_KEYS.has(key));
  const filter = others.length > 0 || !isOfFailures ? null : failureFilter(found.target);
  const ids = writtenFilters({ ...(tx && { tx }), ...(subscriber && { subscriber }), ...(email && { email }) });
  const alone = [...typed.words, ...(ids === '' ? [] : [ids])].join(' ');
  const example = filter === null ? alone : `failures ${filter} ${writtenFilters(filters)}`;
  throw new InputError(refused, `A lookup can't filter by ${refused}:. It takes env:.`, `/notif ${example}`);
}

/** Failures can't be filtered by an event. */
function failureFilter({ kind, id }: LookupTarget): string | null {
  switch (kind) {
    case 'event':
      return null;
    case 'transaction':
      return writtenFilters({ tx: [id] });
    case 'subscriber':
    case 'email':
      return writtenFilters({ [kind]: [id] });
  }
}
