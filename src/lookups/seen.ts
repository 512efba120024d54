import type { TriggeredEvent } from '../domain/service/event.ts';
import type { Message } from '../domain/service/message.ts';
import { type Audience, forAudience } from '../domain/text/audience.ts';
import { Payload } from '../domain/text/payload.ts';
import { shownId } from '../domain/text/shown-id.ts';
import type { FoundEvent, ReadBeside } from './event.ts';

declare const SEEN: unique symbol;

/** Cards, rows and lines are made only of this, so they can't show more; only this file makes one. */
export type Seen<Whole> = Whole & { readonly [SEEN]: true };

// Each field is named, so that a new one compiles only once it's decided here who sees it.

export function seenMessage(message: Message, audience: Audience): Seen<Message> {
  const id = (value: string) => shownId(value, audience);
  return seen({
    id: message.id,
    eventId: message.eventId,
    channel: message.channel,
    status: message.status,
    provider: message.provider,
    isSubscriberDeleted: message.isSubscriberDeleted,
    maskedEmail: message.maskedEmail,
    maskedPhone: message.maskedPhone,
    devices: message.devices,
    hasWebhook: message.hasWebhook,
    errorId: message.errorId,
    errorText: message.errorText,
    createdAt: message.createdAt,
    deliveredAt: message.deliveredAt,
    seen: message.seen,
    read: message.read,
    lastSeenAt: message.lastSeenAt,
    lastReadAt: message.lastReadAt,
    snoozedUntil: message.snoozedUntil,
    transactionId: id(message.transactionId),
    subscriberId: message.subscriberId === null ? null : id(message.subscriberId),
    workflow: message.workflow === null ? null : id(message.workflow),
    contextKeys: message.contextKeys.map(id),
    subject: forAudience(audience, 'subject', message.subject),
  });
}

export function seenEvent(found: FoundEvent, audience: Audience): SeenEvent {
  const { messages, merged } = found;
  return seen({
    ...found,
    event: withoutPrivate(found.event, audience),
    messages: messages.read
      ? { ...messages, items: messages.items.map((message) => seenMessage(message, audience)) }
      : messages,
    merged: merged?.read
      ? { ...merged, items: merged.items.map((item) => ({ ...item, event: withoutPrivate(item.event, audience) })) }
      : merged,
  });
}

export type SeenEvent = Seen<Omit<FoundEvent, 'messages'> & { readonly messages: ReadBeside<Seen<Message>> }>;

function withoutPrivate(event: TriggeredEvent, audience: Audience): TriggeredEvent {
  const id = (value: string) => shownId(value, audience);
  return {
    id: event.id,
    serviceEnvironmentId: event.serviceEnvironmentId,
    mergedInto: event.mergedInto,
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
    jobs: event.jobs,
    listsSteps: event.listsSteps,
    channels: event.channels,
    severity: event.severity,
    critical: event.critical,
    unreadable: event.unreadable,
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
