import { InputError } from '../../domain/errors.ts';
import { FAILURE_FILTERS, FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import { typedFilter } from '../../domain/failures/typed-filter.ts';
import type { FilterKey, FilterMap } from '../../domain/input/filters.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time/durations.ts';
import { parseTimeRange } from '../../domain/time/time-range.ts';
import { type FailureRequest, writeRequest } from '../blocks/buttons/failure-request.ts';
import { refuseTooLong } from '../blocks/buttons/refuse-too-long.ts';
import type { Asked } from '../interactions/command.ts';

export const FAILURE_COMMAND_FILTERS: readonly FilterKey[] = [
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  'email',
  'since',
  'until',
  'env',
];

/**
 * The last hour of everything by default. Throws `InputError` for a filter that can't be applied, and for more filters
 * than a button's value can hold.
 */
export function parseFailureRequest(
  { filters, environment, timeZone }: Asked,
  now: Date,
  horizonMs: number,
  command: string,
): FailureRequest {
  const range = parseTimeRange({ since: only('since', filters), until: only('until', filters) }, now, {
    durationMs: HOUR_MS,
    maxDays: horizonMs / DAY_MS,
    timeZone,
  });
  const request = { environment: environment.name, filter: typedFilter(filters), ...range, offset: 0 };
  refuseTooLong(writeRequest({ ...request, offset: 999_999 }), `${command} channel:email`);
  return request;
}

function only(key: 'since' | 'until', filters: FilterMap): string | undefined {
  const values = filters[key] ?? [];
  if (values.length > 1) throw new InputError(key, `${key}: takes one time.`, `${key}:2h`);
  return values[0];
}
