import type { Environment } from '../../domain/environment.ts';
import type { LookedUp } from '../../domain/looked-up.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { eventCard } from './card-message.ts';
import { nothingFound } from './nothing-message.ts';
import { audienceOf, type Reader } from './reader-message.ts';
import { transactionCard } from './transaction-message.ts';

/** What a look-up found, for its reader. `elsewhere` are other environments that know an id which this one does not. */
export function lookedUpMessage(
  found: LookedUp,
  reader: Reader,
  elsewhere: readonly Environment[] = [],
): MessageContent {
  switch (found.found) {
    case 'event':
      return eventCard(found, reader);
    case 'transaction':
      return transactionCard(found, reader);
    case 'nothing':
      return nothingFound(found, elsewhere, audienceOf(reader));
  }
}
