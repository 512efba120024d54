import type { Explanation } from '../../domain/errors.ts';
import { context, type MessageContent, message, section } from './blocks.ts';
import { code, mrkdwn } from './text.ts';

/** What went wrong, what to do next, and the reference under which the log tells more; null where the log has nothing to add. */
export function errorCard({ what, next }: Explanation, reference: string | null): MessageContent {
  const said = section(mrkdwn`⚠️ ${what}\n${next}`);
  if (reference === null) return message(mrkdwn`⚠️ ${what} ${next}`, [said]);
  return message(mrkdwn`⚠️ ${what} ${next} Reference ${reference}`, [
    said,
    context(mrkdwn`Reference ${code(reference)}`),
  ]);
}
