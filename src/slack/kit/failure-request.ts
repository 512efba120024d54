import { z } from 'zod';
import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES, filterBy } from '../../failures/filter.ts';
import { Key, Time, valueParser, writeValue } from './button-value.ts';

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

export const parseRequest = valueParser<FailureRequest>(
  z.tuple([z.string(), Time, Time, Key], z.string()).transform(([environment, from, to, offset, ...lists]) => {
    return { environment, filter: readFilter(lists), from, to, offset };
  }),
);

function writeFilter(filter: FailureFilter): string[] {
  return FILTER_NAMES.flatMap((name) => filter[name].map((value) => `${FAILURE_FILTERS[name].button}:${value}`));
}

function readFilter(lists: readonly string[]): FailureFilter {
  return filterBy((_, { button }) => {
    const kind = `${button}:`;
    return lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(kind.length));
  });
}
