import { InputError } from '../errors.ts';
import type { FilterMap } from '../input/filters.ts';
import { nearest } from '../nearest.ts';
import { type FailureFilter, type FilterName, filterBy } from './failure-filter.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, type FailureVerdict } from './verdict.ts';

/** Parses a command's filters of failures. Throws `InputError` for an unknown verdict. */
export function typedFilter(filters: FilterMap): FailureFilter {
  return filterBy((name, { key }) => (READERS[name] ?? asTyped)(filters[key] ?? []));
}

function asTyped(values: readonly string[]): readonly string[] {
  return values;
}

/** Parsers for the filters whose values aren't used as typed. */
const READERS: Readonly<Partial<Record<FilterName, (values: readonly string[]) => readonly string[]>>> = {
  // People write in-app, the service in_app.
  channels: (values) => values.map((channel) => channel.toLowerCase().replaceAll('-', '_')),
  severities: (values) => values.map((severity) => severity.toLowerCase()),
  verdicts: (values) => values.map(readVerdict),
};

const VERDICTS: readonly FailureVerdict[] = [...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS];

/** Parses 'partly failed' or 'Partly_failed'. Throws `InputError` for an unknown verdict: the list is closed. */
function readVerdict(typed: string): FailureVerdict {
  const wanted = typed
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  const found = VERDICTS.find((verdict) => verdict === wanted);
  if (found !== undefined) return found;
  const meant = nearest(wanted, VERDICTS);
  const help = meant === null ? `There are ${VERDICTS.join(', ')}.` : `Did you mean ${meant}?`;
  throw new InputError('verdict', `There is no verdict ${typed}. ${help}`, `verdict:${meant ?? 'failed'}`);
}
