import type { SectionBlock } from '@slack/types';
import type { CallToAction, Message } from '../../domain/message.ts';
import { section } from '../blocks/blocks.ts';
import { channelVia } from '../blocks/channel-name.ts';
import { lookUpButton } from '../blocks/lookup-button.ts';
import { callToActionWords, statusEmoji, whatBecameOf, whereTo, whyNotSent } from '../blocks/message-words.ts';
import { bold, code, joined, type Markup, mrkdwn, named } from '../blocks/text.ts';
import { time } from '../blocks/times.ts';

/** Who reads it: what it says is for nobody but whoever asked. */
export interface RowOptions {
  readonly environment: string;
  readonly isShared: boolean;
}

const MOST_CONTEXTS = 3;

/** A message: its status, of what, for whom, why it failed, what became of it, with the way to its event. */
export function messageRow(message: Message, { environment, isShared }: RowOptions): SectionBlock {
  const { subject, callToAction, transactionId, eventId } = message;
  const target = { kind: 'event', id: eventId } as const;
  const content = [
    ...(subject === null || isShared || `${subject}` === '' ? [] : [mrkdwn`subject “${`${subject}`}”`]),
    ...callToActionFor(callToAction, isShared),
  ];
  const lines = [
    joined([mrkdwn`${statusEmoji(message)} ${headline(message)}`], ''),
    ...whyNotSent(message),
    joined([time(message.createdAt, 'day'), ...whereTo(message), ...whatBecameOf(message), ...unseen(message)], ' · '),
    ...(content.length === 0 ? [] : [joined(content, ' · ')]),
    joined([mrkdwn`Transaction ${code(transactionId)}`, ...contexts(message)], ' · '),
  ];
  return section(joined(lines, '\n'), lookUpButton({ environment, target }));
}

/** What stands on its buttons is for nobody but whoever asked either. */
function callToActionFor(callToAction: CallToAction | null, isShared: boolean): Markup[] {
  if (callToAction === null || (isShared && callToAction.status === null)) return [];
  return [callToActionWords(isShared ? { ...callToAction, leadsTo: null, buttons: [] } : callToAction)];
}

/** The same in a sentence without its full stop, for the spoken text. */
export function messageSentence(message: Message): Markup {
  return joined([headline(message), ...whyNotSent(message), ...whatBecameOf(message), ...unseen(message)], ', ');
}

function headline({ channel, provider, status, workflow, subscriberId, isSubscriberDeleted }: Message): Markup {
  const of = workflow === null ? mrkdwn` — deleted workflow` : mrkdwn` — ${bold(named(workflow))}`;
  const whom = subscriberId === null ? mrkdwn`` : mrkdwn` for ${code(subscriberId)}`;
  return mrkdwn`${bold(channelVia(channel, provider))}: ${status}${of}${whom}${isSubscriberDeleted ? ' (deleted)' : ''}`;
}

/** Only of an in-app message the service always knows. */
function unseen({ channel, status, seen, read }: Message): Markup[] {
  return channel === 'in_app' && status === 'sent' && !seen && !read ? [mrkdwn`not seen yet`] : [];
}

function contexts({ contextKeys }: Message): Markup[] {
  if (contextKeys.length === 0) return [];
  const more = contextKeys.length > MOST_CONTEXTS ? [mrkdwn`${contextKeys.length - MOST_CONTEXTS} more`] : [];
  return [mrkdwn`Contexts ${joined([...contextKeys.slice(0, MOST_CONTEXTS).map((key) => code(key)), ...more], ', ')}`];
}
