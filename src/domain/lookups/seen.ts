import type { TriggeredEvent } from '../service/event.ts';
import type { CallToAction, Message } from '../service/message.ts';
import { type Audience, forAudience, isShownTo } from '../text/audience.ts';
import { Payload } from '../text/payload.ts';
import { shownId } from '../text/shown-id.ts';
import type { FoundEvent, ReadBeside } from './looked-up.ts';

declare const SEEN: unique symbol;

/**
 * Something without what its audience doesn't see. A card, row or line is made of this alone, so it can't show more; only this file makes
 * one.
 */
export type Seen<Whole> = Whole & { readonly [SEEN]: true };

/** A message as an audience sees it: of its subject and its call to action everyone sees no more than whether somebody clicked. */
export function seenMessage(message: Message, audience: Audience): Seen<Message> {
  const id = (one: string) => shownId(one, audience);
  return seen({
    ...message,
    transactionId: id(message.transactionId),
    subscriberId: message.subscriberId === null ? null : id(message.subscriberId),
    workflow: message.workflow === null ? null : id(message.workflow),
    contextKeys: message.contextKeys.map(id),
    subject: forAudience(audience, 'subject', message.subject),
    callToAction: seenCallToAction(message.callToAction, audience),
  });
}

function seenCallToAction(whole: CallToAction | null, audience: Audience): CallToAction | null {
  if (whole === null || isShownTo(audience, 'call to action')) return whole;
  return whole.status === null ? null : { ...whole, leadsTo: null, buttons: [] };
}

/** An event with its messages and what was merged into it, as an audience sees it. */
export function seenEvent(found: FoundEvent, audience: Audience): SeenEvent {
  const { messages, merged } = found;
  return seen({
    ...found,
    event: withoutPrivate(found.event, audience),
    messages: messages.read
      ? { ...messages, items: messages.items.map((message) => seenMessage(message, audience)) }
      : messages,
    merged: merged?.read ? { ...merged, items: merged.items.map((event) => withoutPrivate(event, audience)) } : merged,
  });
}

export type SeenEvent = Seen<Omit<FoundEvent, 'messages'> & { readonly messages: ReadBeside<Seen<Message>> }>;

function withoutPrivate(event: TriggeredEvent, audience: Audience): TriggeredEvent {
  const id = (one: string) => shownId(one, audience);
  return {
    ...event,
    transactionId: id(event.transactionId),
    subscriber: event.subscriber && { ...event.subscriber, subscriberId: id(event.subscriber.subscriberId) },
    workflow: event.workflow && {
      ...event.workflow,
      identifier: id(event.workflow.identifier),
      name: id(event.workflow.name),
    },
    topicKeys: event.topicKeys.map(id),
    contextKeys: event.contextKeys.map(id),
    tags: event.tags.map(id),
    payload: forAudience(audience, 'payload', event.payload) ?? NO_PAYLOAD,
  };
}

const NO_PAYLOAD = new Payload({});

function seen<Whole>(whole: Whole): Seen<Whole> {
  return whole as Seen<Whole>;
}
