import { InputError } from '../errors.ts';
import type { FilterMap } from '../input/filters.ts';
import { nearest } from '../nearest.ts';
import { type FailureFilter, type FilterName, filterBy } from './failure-filter.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, type FailureVerdict } from './verdict.ts';

/** Which failures the filters of a command ask for. Throws `InputError` for a verdict that there isn't. */
export function typedFilter(filters: FilterMap): FailureFilter {
  return filterBy((name, { key }) => (READERS[name] ?? asTyped)(filters[key] ?? []));
}

function asTyped(values: readonly string[]): readonly string[] {
  return values;
}

/** How the values of a filter are read that aren't taken as they are typed. */
const READERS: Readonly<Partial<Record<FilterName, (values: readonly string[]) => readonly string[]>>> = {
  // People write in-app as they say it; the service writes in_app.
  channels: (values) => values.map((channel) => channel.toLowerCase().replaceAll('-', '_')),
  severities: (values) => values.map((severity) => severity.toLowerCase()),
  verdicts: (values) => values.map(readVerdict),
};

const VERDICTS: readonly FailureVerdict[] = [...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS];

/** 'partly failed', 'Partly_failed'. Throws `InputError` for one that there isn't: the list is closed. */
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
