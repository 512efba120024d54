import type { Environment } from '../../domain/environment.ts';
import type { LookupTarget } from '../../domain/ids.ts';
import type { LookedUp } from '../../domain/looked-up.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { lookUpButton } from '../blocks/lookup-button.ts';
import { code, mrkdwn } from '../blocks/text.ts';
import { eventCard } from './card-message.ts';
import { nothingFound } from './nothing-message.ts';
import type { Reader } from './reader-message.ts';
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
      return nothingFound(found, elsewhere);
  }
}

/** A choice between the ids that were found in a message. */
export function choiceMessage(targets: readonly LookupTarget[], environment: Environment): MessageContent {
  const title = mrkdwn`${targets.length} ids are in this message. Which one?`;
  return message(title, [
    section(mrkdwn`${badge(environment)} · ${title}`),
    ...targets.map((target) => section(code(target.id), lookUpButton({ environment: environment.name, target }))),
  ]);
}

/** A message in which no id was found. */
export function noIdMessage(): MessageContent {
  const what = mrkdwn`No id was found in this message.`;
  const next = mrkdwn`Looked for event ids (24 hex digits), transaction ids and links to the dashboard. Any other id: ${code('/notif event <id>')}.`;
  return message(mrkdwn`${what} ${next}`, [section(mrkdwn`${what}\n${next}`)]);
}
