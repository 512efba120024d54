import type { FoundNothing, LookedUp } from '../../domain/lookups/looked-up.ts';
import { seenEvent } from '../../domain/lookups/seen.ts';
import type { Audience } from '../../domain/text/audience.ts';
import type { IncidentNow } from '../../incidents/incident.ts';
import { badge } from '../blocks/badge.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { idCode } from '../blocks/shown-id.ts';
import { mrkdwn } from '../blocks/text.ts';
import { whatNext } from '../blocks/words/what-next.ts';
import { eventCard } from './card-message.ts';
import { transactionCard } from './transaction-message.ts';

/** `incidents`: the open ones that the event is part of. */
export function lookedUpMessage(
  found: LookedUp,
  reader: Reader,
  incidents: readonly IncidentNow[] = [],
): MessageContent {
  switch (found.found) {
    case 'event':
      return eventCard(seenEvent(found, audienceOf(reader)), reader, incidents);
    case 'transaction':
      return transactionCard(found, reader);
    case 'nothing':
      return nothingFound(found, audienceOf(reader));
  }
}

/** Says that an event or transaction that existed a moment ago is gone. */
function nothingFound({ environment, target }: FoundNothing, audience: Audience): MessageContent {
  const what = mrkdwn`No event or transaction ${idCode(target.id, audience)} in ${badge(environment)}.`;
  const next = mrkdwn`It may be past retention, or too new to be listed.`;
  return whatNext(what, next);
}
