import { InputError } from '../../domain/errors.ts';
import {
  FAILURE_FILTERS,
  type FailureFilter,
  FILTER_NAMES,
  type FilterName,
  filterBy,
} from '../../domain/failures/failure-filter.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS, type FailureVerdict } from '../../domain/failures/verdict.ts';
import { type FilterKey, type FilterMap, refuseOthers } from '../../domain/input/filters.ts';
import { refuseWords } from '../../domain/input/stray-words.ts';
import { nearest } from '../../domain/nearest.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time/durations.ts';
import { parseTimeRange } from '../../domain/time/time-range.ts';
import { BUTTON_VALUE } from '../blocks/limits.ts';
import type { Asked } from '../interactions/command.ts';
import { type FailureRequest, writeRequest } from './buttons-message.ts';

const COMMAND = '/notif failures';
const ALLOWED: readonly FilterKey[] = [
  ...FILTER_NAMES.map((name) => FAILURE_FILTERS[name].key),
  'email',
  'since',
  'until',
  'env',
];

/**
 * What `/notif failures` was asked for: the last hour of everything unless filters say otherwise. Throws `InputError` for a word
 * that is no filter, for a filter that can't be applied, and for more of them than a button's value holds.
 */
export function parseFailureRequest(
  { words, filters, environment }: Asked,
  now: Date,
  horizonMs: number,
): FailureRequest {
  refuseWords(words, { command: COMMAND, allowed: ALLOWED, usual: 'workflow' });
  refuseOthers(filters, ALLOWED, COMMAND);
  const range = parseTimeRange({ since: only('since', filters), until: only('until', filters) }, now, {
    durationMs: HOUR_MS,
    maxDays: horizonMs / DAY_MS,
  });
  const request = { environment: environment.name, filter: filterOf(filters), ...range, offset: 0 };
  if (writeRequest({ ...request, offset: 999_999 }).length > BUTTON_VALUE) {
    throw new InputError(
      'filter',
      'These are more filter values than Slack lets a button hold.',
      `${COMMAND} channel:email`,
    );
  }
  return request;
}

function only(key: 'since' | 'until', filters: FilterMap): string | undefined {
  const values = filters[key] ?? [];
  if (values.length > 1) throw new InputError(key, `${key}: takes one time.`, `${key}:2h`);
  return values[0];
}

function filterOf(filters: FilterMap): FailureFilter {
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
