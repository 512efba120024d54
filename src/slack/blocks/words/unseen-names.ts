import type { Environment } from '../../../domain/environment.ts';
import type { UnseenName } from '../../../domain/failures/unseen-names.ts';
import { maskEmail } from '../../../domain/text/mask.ts';
import { badge } from '../badge.ts';
import { type MessageContent, sentence } from '../blocks.ts';
import { code, joined, mrkdwn } from '../text.ts';

const MOST_NAMED = 10;

/** Warns about names that Notif has never seen: that nothing of them failed says nothing about the names that were meant. */
export function unseenMessage(unseen: readonly UnseenName[], environment: Environment): MessageContent {
  const lines = unseen.slice(0, MOST_NAMED).map(({ noun, name, meant }) => {
    const hint = meant === null ? mrkdwn`` : mrkdwn` Did you mean ${code(meant)}?`;
    return mrkdwn`⚠️ No ${noun} ${code(name)} seen in ${badge(environment)}.${hint}`;
  });
  const text = joined(lines, '\n');
  return sentence(text);
}

/** Builds the answer for email addresses without any event. It's for one person, but masked because it can be shared as a picture. */
export function noSubscriberMessage(emails: readonly string[], environment: Environment): MessageContent {
  const text = mrkdwn`⚠️ No event for ${joined(
    emails.slice(0, MOST_NAMED).map((email) => code(maskEmail(email))),
    ', ',
  )} seen in ${badge(environment)}.`;
  return sentence(text);
}
