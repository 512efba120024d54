import type { Button, KnownBlock } from '@slack/types';
import type { Seal } from '../../domain/access/seal.ts';
import type { NotificationId } from '../../domain/input/ids.ts';
import type { Identification, IdKind, IdMeaning } from '../../domain/lookups/looked-up.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { badge } from '../blocks/badge.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { isForEveryone, lookUpButton } from '../blocks/buttons/lookup-button.ts';
import { topicButton } from '../blocks/buttons/topic-button.ts';
import { idCode } from '../blocks/shown-id.ts';
import { joined, type Markup, mrkdwn } from '../blocks/text.ts';
import { environmentNames, MOST_OFFERED, offeredRows } from '../blocks/words/other-environments.ts';
import { listButton } from './list-message.ts';

export interface UnknownShown {
  readonly audience: Audience;
  readonly now: Date;
  /** For an ID that is a contact: Slack stores it in a button. */
  readonly seal: Seal;
}

const KIND_WORDS: { readonly [Kind in IdKind]: string } = {
  event: 'an event',
  transaction: 'a transaction',
  subscriber: 'a subscriber',
  topic: 'a topic',
};

export function unknownMessage(identification: Identification, shown: UnknownShown): MessageContent {
  const { target, meanings } = identification;
  const lines = [headline(identification, shown.audience), ...uncheckedLine(identification)];
  return message(joined([...lines, ...meanings.slice(0, MOST_OFFERED).map(meaningWords)], ' '), [
    section(joined(lines, '\n')),
    ...offeredRows(meanings.map((meaning) => meaningRow(meaning, target, shown))),
  ]);
}

function headline({ target, environment, meanings }: Identification, audience: Audience): Markup {
  const id = idCode(target.id, audience);
  const own = meanings.filter((meaning) => meaning.environment.name === environment.name);
  if (own.length > 0) {
    const kinds = own.map(({ kind }) => mrkdwn`of ${KIND_WORDS[kind]}`);
    return mrkdwn`${id} is the ID ${joined(kinds, ' and ')} in ${badge(environment)}.`;
  }
  const nothing = mrkdwn`No event, transaction, subscriber or topic ${id} in ${badge(environment)}.`;
  return meanings.length > 0
    ? nothing
    : mrkdwn`${nothing} It may be past retention, or too new to be listed. Upper and lower case matter.`;
}

function uncheckedLine({ unchecked }: Identification): Markup[] {
  if (unchecked.length === 0) return [];
  return [mrkdwn`Not everything could be checked in ${environmentNames(unchecked)}. Try again.`];
}

function meaningWords({ environment, kind }: IdMeaning): Markup {
  return mrkdwn`${badge(environment)} has ${KIND_WORDS[kind]} with this ID.`;
}

function meaningRow(meaning: IdMeaning, target: NotificationId, shown: UnknownShown): KnownBlock {
  return section(meaningWords(meaning), meaningButton(meaning, target, shown));
}

/** Undefined if the button's value would show everyone a contact. */
function meaningButton(
  { environment: { name: environment }, kind }: IdMeaning,
  target: NotificationId,
  { audience, now, seal }: UnknownShown,
): Button | undefined {
  const { id } = target;
  if (kind === 'subscriber')
    return listButton('View events', { environment, owner: { kind, id }, before: now, end: null, from: 0 }, seal);
  if (audience === 'everyone' && !isForEveryone({ environment, target: { kind: 'transaction', id } })) return undefined;
  if (kind === 'topic')
    return topicButton({
      environment,
      question: { topicKey: id, subscriberId: null, order: 'newest', after: null },
    });
  return lookUpButton({ environment, target });
}
