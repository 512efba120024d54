import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../../domain/failures/failure-filter.ts';
import type { Audience } from '../../../domain/text/audience.ts';
import { idCode } from '../shown-id.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';

const MOST_NAMED = 5;

/** 'workflow `order-shipped` or `weekly`': a part of what a filter takes, for an audience; nothing where it takes all. */
export function onlyWords(noun: string, names: readonly string[], audience: Audience = 'everyone'): Markup[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [mrkdwn`${names.length - MOST_NAMED} more`] : [];
  return [
    mrkdwn`${noun} ${joined([...names.slice(0, MOST_NAMED).map((name) => idCode(name, audience)), ...more], ' or ')}`,
  ];
}

/** 'Only workflow order-shipped, channel email'; null where all failures were asked for. */
export function filterWords(filter: FailureFilter, audience: Audience): Markup | null {
  const parts = FILTER_NAMES.flatMap((name) => onlyWords(FAILURE_FILTERS[name].noun, filter[name], audience));
  return parts.length === 0 ? null : mrkdwn`Only ${joined(parts, ', ')}`;
}
