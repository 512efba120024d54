import type { SectionBlock } from '@slack/types';
import type { Seen } from '../../domain/lookups/seen.ts';
import type { Message } from '../../domain/service/message.ts';
import type { Audience } from '../../domain/text/audience.ts';
import { shownId } from '../../domain/text/shown-id.ts';
import { section } from '../blocks/blocks.ts';
import { lookUpButton } from '../blocks/buttons/lookup-button.ts';
import { firstOf } from '../blocks/first-of.ts';
import { channelVia } from '../blocks/incident/channel-name.ts';
import { idCode } from '../blocks/shown-id.ts';
import { bold, joined, type Markup, mrkdwn, named } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';
import { callToActionOf, messageStatusWords, statusEmoji, whereTo, whyNotSent } from '../blocks/words/message-words.ts';

/** The audience of a row: only the person who asked sees a message's text. */
export interface MessageRowOptions {
  readonly environment: string;
  readonly audience: Audience;
}

const MOST_CONTEXTS = 3;

/** Builds a message's row: its status, workflow, subscriber, error and outcome, with a button for its event. */
export function messageRow(message: Seen<Message>, { environment, audience }: MessageRowOptions): SectionBlock {
  const { subject, transactionId, eventId } = message;
  const target = { kind: 'event', id: eventId } as const;
  const content = [
    ...(subject === null || `${subject}` === '' ? [] : [mrkdwn`subject “${`${subject}`}”`]),
    ...callToActionOf(message),
  ];
  const lines = [
    joined([mrkdwn`${statusEmoji(message)} ${headline(message, audience)}`], ''),
    ...whyNotSent(message),
    joined(
      [time(message.createdAt, 'day'), ...whereTo(message), ...messageStatusWords(message), ...unseen(message)],
      ' · ',
    ),
    ...(content.length === 0 ? [] : [joined(content, ' · ')]),
    joined([mrkdwn`Transaction ${idCode(transactionId, audience)}`, ...contexts(message, audience)], ' · '),
  ];
  return section(joined(lines, '\n'), lookUpButton({ environment, target }));
}

/** Describes the message in a sentence without its full stop, for the fallback text. */
export function messageSentence(message: Seen<Message>, audience: Audience): Markup {
  return joined(
    [headline(message, audience), ...whyNotSent(message), ...messageStatusWords(message), ...unseen(message)],
    ', ',
  );
}

function headline(message: Seen<Message>, audience: Audience): Markup {
  const { channel, provider, status, workflow, subscriberId, isSubscriberDeleted } = message;
  const of = workflow === null ? mrkdwn` — deleted workflow` : mrkdwn` — ${bold(named(shownId(workflow, audience)))}`;
  const whom = subscriberId === null ? mrkdwn`` : mrkdwn` for ${idCode(subscriberId, audience)}`;
  return mrkdwn`${bold(channelVia(channel, provider))}: ${status}${of}${whom}${isSubscriberDeleted ? ' (deleted)' : ''}`;
}

/** Says that a message wasn't seen. The service knows that reliably only for in-app messages. */
function unseen({ channel, status, seen, read }: Message): Markup[] {
  return channel === 'in_app' && status === 'sent' && !seen && !read ? [mrkdwn`not seen yet`] : [];
}

function contexts({ contextKeys }: Message, audience: Audience): Markup[] {
  const codes = contextKeys.map((key) => idCode(key, audience));
  return codes.length === 0 ? [] : [mrkdwn`Contexts ${joined(firstOf(codes, MOST_CONTEXTS), ', ')}`];
}
