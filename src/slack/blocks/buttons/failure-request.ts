import {
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  filterBy,
} from '../../../domain/failures/failure-filter.ts';
import { parseValue, writeValue } from '../button-value.ts';

/** `offset`: the group to begin with, counted from 0. */
export interface FailureRequest {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly from: Date;
  readonly to: Date;
  readonly offset: number;
}

export function writeRequest({ environment, filter, from, to, offset }: FailureRequest): string {
  return writeValue([environment, `${from.getTime()}`, `${to.getTime()}`, `${offset}`, ...writeFilter(filter)]);
}

export function parseRequest(value: string): FailureRequest | null {
  const [environment, from, to, offset, ...lists] = parseValue(value) ?? [];
  const [fromMs, toMs, first] = [from, to, offset].map((text = '') => (/^-?\d+$/.test(text) ? Number(text) : NaN));
  const range = { from: new Date(fromMs ?? NaN), to: new Date(toMs ?? NaN) };
  const isRange = !Number.isNaN(range.from.getTime()) && !Number.isNaN(range.to.getTime());
  if (environment === undefined || !isRange || first === undefined || !(first >= 0)) return null;
  return { environment, filter: readFilter(lists), ...range, offset: first };
}

export function writeFilter(filter: FailureFilter): string[] {
  return FILTER_NAMES.flatMap((name) => filter[name].map((value) => `${FAILURE_FILTERS[name].button}:${value}`));
}

export function readFilter(lists: readonly string[]): FailureFilter {
  return filterBy((_, { button }) => {
    const kind = `${button}:`;
    return lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(kind.length));
  });
}
