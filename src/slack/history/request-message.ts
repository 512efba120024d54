import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES, filterBy } from '../../domain/failures/failure-filter.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';

export interface HistoryRequest {
  readonly environment: string;
  readonly filter: FailureFilter;
  readonly since: Date;
  readonly olderThan: number | null;
}

export function writeRequest({ environment, filter, since, olderThan }: HistoryRequest): string {
  const lists = FILTER_NAMES.flatMap((name) => filter[name].map((value) => `${FAILURE_FILTERS[name].button}:${value}`));
  return writeValue([environment, String(since.getTime()), olderThan === null ? '' : String(olderThan), ...lists]);
}

export function parseRequest(value: string): HistoryRequest | null {
  const [environment, since = '', olderThan = '', ...lists] = parseValue(value) ?? [];
  if (environment === undefined || !/^\d{1,15}$/.test(since) || !/^\d{0,15}$/.test(olderThan)) return null;
  const filter = filterBy((_, { button }) => {
    const kind = `${button}:`;
    return lists.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length));
  });
  return {
    environment,
    filter,
    since: new Date(Number(since)),
    olderThan: olderThan === '' ? null : Number(olderThan),
  };
}
