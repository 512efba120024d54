import { FAILURE_FILTERS, type FailureFilter, FILTER_NAMES } from '../../../failures/filter.ts';
import type { Environment } from '../../../lib/environment.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { type MessageContent, sentence } from '../blocks.ts';
import { badge, code, firstOf, joined, type Markup, mrkdwn } from '../text.ts';

export const CASE_MATTERS = mrkdwn`Upper and lower case matter, and so does ${code('env:')}.`;

const MOST_NAMED = 5;
const MOST_LISTED = 10;

export function onlyWords(noun: string, names: readonly string[]): Markup[] {
  const codes = names.map((name) => code(name));
  return names.length === 0 ? [] : [mrkdwn`${noun} ${joined(firstOf(codes, MOST_NAMED), ' or ')}`];
}

export function filterWords(filter: FailureFilter, places: readonly Markup[] = []): Markup | null {
  const parts = FILTER_NAMES.flatMap((name) => onlyWords(FAILURE_FILTERS[name].noun, filter[name]));
  return parts.length === 0 ? null : mrkdwn`Only ${joined([...parts, ...places], ', ')}`;
}

export function unseenMessage(
  unseen: readonly { name: string; similar: string | null }[],
  environment: Environment,
): MessageContent {
  const lines = unseen
    .slice(0, MOST_LISTED)
    .map(
      ({ name, similar }) => mrkdwn`⚠️ No workflow ${code(name)} seen in ${badge(environment)}.${didYouMean(similar)}`,
    );
  return sentence(joined(lines, '\n'));
}

export function didYouMean(similar: string | null): Markup {
  return similar === null ? mrkdwn`` : mrkdwn` Did you mean ${code(similar)}?`;
}

/** Masked: it can be shared as a picture. */
export function noSubscriberMessage(emails: readonly string[], environment: Environment): MessageContent {
  const masked = emails.slice(0, MOST_LISTED).map((email) => code(maskEmail(email)));
  return sentence(mrkdwn`⚠️ No event for ${joined(masked, ', ')} seen in ${badge(environment)}.`);
}
