import type { Environment } from '../../../lib/environment.ts';
import { maskEmail } from '../../../lib/text/mask.ts';
import { type MessageContent, sentence } from '../blocks.ts';
import { badge, code, joined, type Markup, mrkdwn } from '../text.ts';

const MOST_NAMED = 10;

export function unseenMessage(
  unseen: readonly { readonly name: string; readonly similar: string | null }[],
  environment: Environment,
): MessageContent {
  const lines = unseen
    .slice(0, MOST_NAMED)
    .map(
      ({ name, similar }) => mrkdwn`⚠️ No workflow ${code(name)} seen in ${badge(environment)}.${didYouMean(similar)}`,
    );
  return sentence(joined(lines, '\n'));
}

export function didYouMean(similar: string | null): Markup {
  return similar === null ? mrkdwn`` : mrkdwn` Did you mean ${code(similar)}?`;
}

/** For one person, but masked because it can be shared as a picture. */
export function noSubscriberMessage(emails: readonly string[], environment: Environment): MessageContent {
  const masked = emails.slice(0, MOST_NAMED).map((email) => code(maskEmail(email)));
  return sentence(mrkdwn`⚠️ No event for ${joined(masked, ', ')} seen in ${badge(environment)}.`);
}
