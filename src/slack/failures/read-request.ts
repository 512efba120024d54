import { InputError } from '../../domain/errors.ts';
import type { FailureFilter } from '../../domain/failure-filter.ts';
import { type FilterKey, type FilterMap, refuseOthers } from '../../domain/filters.ts';
import { readSpan } from '../../domain/span.ts';
import { BUTTON_VALUE } from '../blocks/limits.ts';
import type { Asked } from '../doors/command.ts';
import { type FailureRequest, writeRequest } from './buttons-message.ts';

const COMMAND = '/notif failures';
const ALLOWED: readonly FilterKey[] = [
  'workflow',
  'channel',
  'provider',
  'subscriber',
  'severity',
  'tx',
  'since',
  'until',
  'env',
];
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What `/notif failures` was asked for: the last hour of everything unless filters say otherwise. Throws `InputError` for a word
 * that is no filter, for a filter that can't be applied, and for more of them than a button's value holds.
 */
export function readFailureRequest(
  { words, filters, environment }: Asked,
  now: Date,
  horizonMs: number,
): FailureRequest {
  const [word] = words;
  if (word !== undefined) {
    throw new InputError(
      'failures',
      `${word} is no filter: ${COMMAND} takes key:value.`,
      `${COMMAND} workflow:${word}`,
    );
  }
  refuseOthers(filters, ALLOWED, COMMAND);
  const span = readSpan({ since: only('since', filters), until: only('until', filters) }, now, {
    durationMs: HOUR_MS,
    maxDays: horizonMs / DAY_MS,
  });
  const request = { environment: environment.name, filter: filterOf(filters), ...span, offset: 0 };
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
  return {
    workflows: filters.workflow ?? [],
    // People write in-app as they say it; the service writes in_app.
    channels: (filters.channel ?? []).map((channel) => channel.toLowerCase().replaceAll('-', '_')),
    providers: filters.provider ?? [],
    subscribers: filters.subscriber ?? [],
    severities: (filters.severity ?? []).map((severity) => severity.toLowerCase()),
    transactions: filters.tx ?? [],
  };
}
