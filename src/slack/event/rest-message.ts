import type { KnownBlock } from '@slack/types';
import { InputError } from '../../domain/errors.ts';
import type { SeenEvent } from '../../domain/lookups/seen.ts';
import { listedEvent } from '../../domain/lookups/transaction.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { fitCount } from '../blocks/fit.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { mrkdwn } from '../blocks/text.ts';
import { eventRow } from '../blocks/words/event-row.ts';
import { eventTitle } from './headline-message.ts';
import { messageLine } from './messages-message.ts';
import { type MoreRequest, moreButton, type Part } from './more-message.ts';
import { storyRows } from './timeline-message.ts';

/** Builds what a card had no room for: a part's rows from an offset, as many as fit, and a button for the next. */
export function restOf(found: SeenEvent, { part, from }: MoreRequest, reader: Reader): MessageContent {
  const rows = rowsOf(found, part);
  const rest = rows.slice(from);
  if (rest.length === 0)
    throw new InputError('more', 'There is no more of it by now.', null, 'Look the event up again.');
  const title = (count: number) =>
    mrkdwn`${eventTitle(found, audienceOf(reader))} · ${WORDS[part]} ${from + 1}–${from + count} of ${rows.length}`;
  const { blocks, shown } = fitCount(rest.length, (count) => [
    section(title(count)),
    ...rest.slice(0, count).flat(),
    ...(count < rest.length
      ? [section(mrkdwn`${rest.length - count} more`, moreButton(found, part, from + count))]
      : []),
  ]);
  return message(title(shown), blocks);
}

const WORDS: { readonly [P in Part]: string } = { steps: 'steps', messages: 'messages', merged: 'merged events' };

function rowsOf(found: SeenEvent, part: Part): KnownBlock[][] {
  const { event, messages, merged, environment } = found;
  switch (part) {
    case 'steps':
      return storyRows(found);
    case 'messages':
      return messages.read ? messages.items.map((one) => [section(messageLine(one, event.createdAt))]) : [];
    case 'merged':
      return merged?.read
        ? merged.items.map((one) => [eventRow(listedEvent(one.event, one.judgement), environment.name)])
        : [];
  }
}
