import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../../failures/filter.ts';
import { code, firstOf, joined, type Markup, mrkdwn } from '../text.ts';

export const CASE_MATTERS = mrkdwn`Upper and lower case matter, and so does ${code('env:')}.`;

const MOST_NAMED = 5;

export function onlyWords(noun: string, names: readonly string[]): Markup[] {
  const codes = names.map((name) => code(name));
  return names.length === 0 ? [] : [mrkdwn`${noun} ${joined(firstOf(codes, MOST_NAMED), ' or ')}`];
}

export function filterWords(filter: FailureFilter): Markup | null {
  const parts = FILTER_NAMES.flatMap((name) => onlyWords(FAILURE_FILTERS[name].noun, filter[name]));
  return parts.length === 0 ? null : mrkdwn`Only ${joined(parts, ', ')}`;
}
