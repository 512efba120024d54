import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../../domain/failures/failure-filter.ts';
import type { Audience } from '../../../domain/text/audience.ts';
import { firstOf } from '../first-of.ts';
import { idCode } from '../shown-id.ts';
import { joined, type Markup, mrkdwn } from '../text.ts';

const MOST_NAMED = 5;

export function onlyWords(noun: string, names: readonly string[], audience: Audience = 'everyone'): Markup[] {
  const codes = names.map((name) => idCode(name, audience));
  return names.length === 0 ? [] : [mrkdwn`${noun} ${joined(firstOf(codes, MOST_NAMED), ' or ')}`];
}

export function filterWords(filter: FailureFilter, audience: Audience): Markup | null {
  const parts = FILTER_NAMES.flatMap((name) => onlyWords(FAILURE_FILTERS[name].noun, filter[name], audience));
  return parts.length === 0 ? null : mrkdwn`Only ${joined(parts, ', ')}`;
}
