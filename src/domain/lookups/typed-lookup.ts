import type { Environment } from '../environment.ts';
import { InputError } from '../errors.ts';
import { FAILURE_FILTERS, FILTER_NAMES } from '../failures/failure-filter.ts';
import { type CommandText, FILTER_KEYS, type FilterKey, writtenFilters } from '../input/filters.ts';
import { type LookupTarget, recognise } from '../input/lookup-target.ts';

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

/** Returns the text in which to find what to look up: the words, and the values of the filters that name it. */
export function textToLookUp({ words, filters: { subscriber = [], email = [], tx = [] } }: CommandText): string {
  return [...words, ...email, ...tx, ...subscriber.map((id) => `subscriber:"${id}"`)].join(' ');
}

/** Throws an `InputError` for a filter that a lookup can't apply, if there is anything to look up. */
export function refuseLookupFilters(typed: CommandText, environments: readonly Environment[]): void {
  const refused = FILTER_KEYS.find((key) => typed.filters[key] !== undefined && !ID_FILTERS.has(key));
  if (refused === undefined) return;
  const text = textToLookUp(typed);
  const [found, ...others] = recognise(text, environments);
  if (found === undefined) return;
  const { subscriber, email, tx, ...filters } = typed.filters;
  const isOfFailures = Object.keys(filters).every((key) => FAILURE_KEYS.has(key));
  const filter = others.length > 0 || !isOfFailures ? null : failureFilter(found.target);
  const example = filter === null ? text : `failures ${filter} ${writtenFilters(filters)}`;
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
