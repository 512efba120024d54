import type { KnownBlock } from '@slack/types';
import { EVENTS_LOOKED_AT } from '../../domain/input/addresses.ts';
import { maskEmail } from '../../domain/text/mask.ts';
import type { AddressFound } from '../../domain/watches/address-found.ts';
import { context, type MessageContent, message } from '../blocks/blocks.ts';
import { lineSections } from '../blocks/line-sections.ts';
import { idCode } from '../blocks/shown-id.ts';
import { code, joined, type Markup, mrkdwn } from '../blocks/text.ts';

const LONGEST_ID = 100;

/** For the person alone who typed the addresses. */
export function watchingMessage(addresses: readonly AddressFound[]): MessageContent {
  const blocks = watchingBlocks(addresses);
  return message(mrkdwn`${joined(watchingLines(addresses), ' ')} ${LOOKED_UP_ONCE}`, blocks);
}

export function watchingBlocks(addresses: readonly AddressFound[]): KnownBlock[] {
  return addresses.length === 0 ? [] : [...lineSections(watchingLines(addresses)), context(LOOKED_UP_ONCE)];
}

const LOOKED_UP_ONCE = mrkdwn`Looked up once, in the newest ${EVENTS_LOOKED_AT} events of each address. If an address is another subscriber's later, this watch doesn't follow: change it with *Edit*.`;

export function watchingLines(addresses: readonly AddressFound[]): Markup[] {
  return addresses.flatMap(({ email, subscriberIds }) =>
    subscriberIds.map(
      (id) => mrkdwn`👤 Watching subscriber ${idCode(id, 'requester', LONGEST_ID)} for ${code(maskEmail(email))}.`,
    ),
  );
}
