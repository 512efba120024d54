import type { FoundNothing } from '../../domain/lookups/looked-up.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, mrkdwn } from '../blocks/text.ts';

/** An event or transaction that was there a moment ago, and is gone. */
export function nothingFound({ environment, target }: FoundNothing, audience: Audience): MessageContent {
  const what = mrkdwn`No event or transaction ${idCode(target.id, audience)} in ${badge(environment)}.`;
  const next = mrkdwn`It may be past retention, or too new to be listed.`;
  return message(mrkdwn`${what} ${next}`, [section(joined([what, next], '\n'))]);
}
