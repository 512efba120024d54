import type { WatchOrphanedContent } from '../../domain/alerting/delivery.ts';
import { actions, type MessageContent, message, section } from '../blocks/blocks.ts';
import { TAKE_OVER, watchButton } from '../blocks/buttons/watch-buttons.ts';
import { joined, mrkdwn, person } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** Builds the message for a channel whose watch's creator is gone: someone should take it over. */
export function watchOrphanedMessage({ watch, endsAt }: WatchOrphanedContent): MessageContent {
  const lines = [
    mrkdwn`👤 *${person(watch.createdBy ?? '')}, who created a watch in this channel, is no longer in the workspace.*`,
    mrkdwn`It still sends alerts. It will be removed on ${time(endsAt, 'day')} unless somebody takes it over.`,
  ];
  return message(joined(lines, ' '), [
    section(joined(lines, '\n')),
    ...actions([watchButton('Take over', TAKE_OVER, watch.id)]),
  ]);
}
