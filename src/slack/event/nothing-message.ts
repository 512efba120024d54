import type { FoundNothing } from '../../domain/lookups/looked-up.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, mrkdwn } from '../blocks/text.ts';

/** Says that an event or transaction that existed a moment ago is gone. */
export function nothingFound({ environment, target }: FoundNothing, audience: Audience): MessageContent {
  const what = mrkdwn`No event or transaction ${idCode(target.id, audience)} in ${badge(environment)}.`;
  const next = mrkdwn`It may be past retention, or too new to be listed.`;
  return message(mrkdwn`${what} ${next}`, [section(joined([what, next], '\n'))]);
}
