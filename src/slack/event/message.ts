import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { LookedUp } from '../../domain/lookups/looked-up.ts';
import { seenEvent } from '../../domain/lookups/seen.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { eventCard } from './card-message.ts';
import { nothingFound } from './nothing-message.ts';
import { transactionCard } from './transaction-message.ts';

/** Builds the result of a lookup for its reader; for an event, with the open incidents that it is part of. */
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
