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
  const asked = FILTER_NAMES.flatMap((name) => filter[name].flatMap((one) => [FAILURE_FILTERS[name].button, one]));
  return writeValue([environment, `${from.getTime()}`, `${to.getTime()}`, `${offset}`, ...asked]);
}

export function parseRequest(value: string): FailureRequest | null {
  const [environment, from, to, offset, ...asked] = parseValue(value) ?? [];
  const [fromMs, toMs, first] = [from, to, offset].map((text = '') => (/^-?\d+$/.test(text) ? Number(text) : NaN));
  const range = { from: new Date(fromMs ?? NaN), to: new Date(toMs ?? NaN) };
  const isRange = !Number.isNaN(range.from.getTime()) && !Number.isNaN(range.to.getTime());
  if (environment === undefined || !isRange || first === undefined || !(first >= 0)) return null;
  const pairs = asked.flatMap((name, index) => (index % 2 === 0 ? [[name, asked[index + 1]] as const] : []));
  const filter = filterBy((_, { button }) =>
    pairs.flatMap(([name, one]) => (name === button && one !== undefined ? [one] : [])),
  );
  return { environment, filter, ...range, offset: first };
}
