import { z } from 'zod';
import { InputError } from '../../domain/errors.ts';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../domain/failures/failure-filter.ts';
import { typedFilter } from '../../domain/failures/typed-filter.ts';
import { WATCHED_VERDICTS } from '../../domain/failures/verdict.ts';
import { type FilterKey, onlyValue } from '../../domain/input/filters.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import { parseTimeRange } from '../../domain/time/time-range.ts';
import { KeyOrNull, refuseTooLong, Time, valueParser, writeValue } from '../blocks/button-value.ts';
import { readFilter, writeFilter } from '../blocks/failure-request.ts';
import type { Asked } from '../interactions/command.ts';

export const HISTORY_FILTERS: readonly FilterKey[] = [
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  'email',
  'since',
  'env',
];

export interface HistoryRequest {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
  readonly olderThan: number | null;
}

export function writeRequest({ environment, filter, since, olderThan }: HistoryRequest): string {
  return writeValue([environment, String(since.getTime()), String(olderThan ?? ''), ...writeFilter(filter)]);
}

export const parseRequest = valueParser<HistoryRequest>(
  z.tuple([z.string(), Time, KeyOrNull], z.string()).transform(([environment, since, olderThan, ...lists]) => {
    return { environment, filter: readFilter(lists), since, olderThan };
  }),
);

const COMMAND = '/notif history';
/** What is only counted has no incidents, so that "none" would be no news. */
function refuseCounted({ verdicts }: Pick<FailureFilter, 'verdicts'>): void {
  const [first] = verdicts;
  const watched: readonly string[] = WATCHED_VERDICTS;
  if (first === undefined || verdicts.some((verdict) => watched.includes(verdict))) return;
  throw new InputError(
    'verdict',
    `verdict:${first} is only counted and has no incidents. ${COMMAND} takes verdict: with ${WATCHED_VERDICTS.join(', ')}.`,
    `/notif failures verdict:${first}`,
  );
}

/** The default for `since:`. */
const USUAL_DAYS = 30;

/**
 * By default the last 30 days, or as many as are kept. Throws `InputError` for a filter that can't be applied, and for
 * more values than a button can hold.
 */
export function parseHistoryRequest(
  { filters, environment, timeZone }: Asked,
  now: Date,
  retentionDays: number,
): HistoryRequest {
  const usual = { durationMs: Math.min(USUAL_DAYS, retentionDays) * DAY_MS, maxDays: retentionDays, timeZone };
  const { from } = parseTimeRange({ since: onlyValue('since', filters) }, now, usual);
  const filter = typedFilter(filters);
  refuseCounted(filter);
  const request = { environment: environment.name, filter, since: from, olderThan: null };
  refuseTooLong(writeRequest({ ...request, olderThan: 1e14 }), `${COMMAND} channel:email`);
  return request;
}
