import { oneOf } from '../lib/closed-list.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { channelAsMeant } from '../service/delivery-channels.ts';
import { type FailureFilter, type FilterName, filterBy } from './failure-filter.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, type FailureVerdict } from './verdict.ts';

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
