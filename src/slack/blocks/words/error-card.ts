import { context, type MessageContent, message, section } from '../blocks.ts';
import { code, type Inserted, mrkdwn } from '../text.ts';

/** What went wrong and what to do next. */
export interface ErrorText {
  readonly what: Inserted;
  readonly next: Inserted;
}

/** A trouble as an answer, with the reference under which the log tells more; null where the log has nothing to add. */
export function errorCard({ what, next }: ErrorText, reference: string | null): MessageContent {
  const said = section(mrkdwn`⚠️ ${what}\n${next}`);
  if (reference === null) return message(mrkdwn`⚠️ ${what} ${next}`, [said]);
  const quoted = context(mrkdwn`Reference ${code(reference)}`);
  return message(mrkdwn`⚠️ ${what} ${next} Reference ${reference}`, [said, quoted]);
}
