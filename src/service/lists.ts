import { z } from 'zod';
import { fold } from '../lib/fold.ts';
import type { FilterKey } from '../lib/input/filters.ts';
import { Phone } from '../lib/input/phone.ts';
import { initials, maskEmail, maskPhone } from '../lib/text/mask.ts';
import { FreeText } from '../lib/text/scrub.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { ChannelBody } from './credentials.ts';
import type { EventQuery, MisfitsOf } from './query.ts';
import { date, errorIdOf, fields, flag, freeText, items, list, optional, readable, text } from './schema.ts';

type Values = string | readonly string[] | null | undefined;

/** An item that doesn't show a value fits. */
function isAmong(wanted: Values, shown: Values) {
  return !wanted?.length || shown == null || [shown].flat().some((value) => [wanted].flat().includes(value));
}

const joined = (keys: readonly string[] | null | undefined) => keys && [...new Set(keys)].sort().join('\n');

/** Clocks and roundings may differ by a minute. */
function isInOrder(earlier: Date | null | undefined, later: Date | null | undefined) {
  return !earlier || !later || earlier.getTime() <= later.getTime() + MINUTE_MS;
}

const optionalTexts = optional(z.array(z.string()));
export const topicKey = z.object({ topicKey: z.string() }).transform(({ topicKey }) => topicKey);

const Shown = z.object({
  ...fields(text, 'transactionId', 'severity', '_templateId', 'channel'),
  ...fields(optionalTexts, 'channels', 'contextKeys'),
  topics: optional(z.array(topicKey)),
  subscriber: optional(z.object({ subscriberId: text, email: text })),
  createdAt: date,
});

type Shown = z.output<typeof Shown>;
type Check<Query> = readonly [FilterKey, fits: (query: Query, item: Shown) => boolean];

/** Services ignore unknown filters, so items are compared with the query. */
function misfitsBy<Query>(...checks: readonly Check<Query>[]) {
  return (query: Query): MisfitsOf =>
    (value) => {
      const { data: item } = Shown.safeParse(value);
      return item === undefined ? [] : checks.flatMap(([filter, fits]) => (fits(query, item) ? [] : filter));
    };
}

export const eventMisfits = misfitsBy<EventQuery>(
  ['tx', ({ transactionId }, event) => isAmong(transactionId, event.transactionId)],
  ['workflow', ({ workflowIds }, event) => isAmong(workflowIds, event._templateId)],
  ['channel', ({ channels }, event) => isAmong(channels, event.channels)],
  ['severity', ({ severity }, event) => isAmong(severity, event.severity)],
  ['topic', ({ topicKey }, event) => isAmong(topicKey, event.topics)],
  ['context', ({ contextKeys }, event) => isAmong(joined(contextKeys), joined(event.contextKeys))],
  ['subscriber', (query, event) => !query.subscriberIds?.length || fitsRecipients(query, event)],
  ['email', (query, event) => !query.emails?.length || fitsRecipients(query, event)],
  ['since', ({ after }, { createdAt }) => isInOrder(after, createdAt)],
  ['until', ({ before }, { createdAt }) => isInOrder(createdAt, before)],
);

/** Emails and subscriber IDs are alternatives. Whether `search` matches can't be verified. */
function fitsRecipients({ search, emails, subscriberIds }: EventQuery, { subscriber }: Shown) {
  if (search || !subscriber) return true;
  if (!emails?.length) return isAmong(subscriberIds, subscriber.subscriberId);
  const isNamed = !!subscriberIds?.length && isAmong(subscriberIds, subscriber.subscriberId);
  return isNamed || isAmong(emails.map(fold), subscriber.email && fold(subscriber.email));
}

export const messageMisfits = misfitsBy<MessageQuery>(
  ['channel', (query, message) => isAmong(query.channel, message.channel)],
  ['subscriber', ({ subscriberId }, { subscriber }) => isAmong(subscriberId, subscriber?.subscriberId)],
  ['tx', ({ transactionIds }, message) => isAmong(transactionIds, message.transactionId)],
  ['context', ({ contextKeys }, message) => isAmong(joined(contextKeys), joined(message.contextKeys))],
);

/** Contacts and names are masked here and go no further. */
export const SubscriberBody = z
  .object({
    subscriberId: z.string(),
    ...fields(text, 'firstName', 'lastName', 'email', 'phone', 'locale', 'timezone'),
    deleted: flag,
    channels: optional(items(ChannelBody)),
    isOnline: optional(z.boolean()),
    lastOnlineAt: date,
  })
  .transform(({ firstName, lastName, email, phone, timezone: timeZone, deleted, channels, ...shown }) => ({
    ...shown,
    timeZone,
    initials: initials(firstName, lastName),
    maskedEmail: email && maskEmail(email),
    phone: phone === null ? null : new Phone(phone),
    isDeleted: deleted,
    settings: channels,
  }));

export const SubscriptionBody = z
  .object({ _id: z.string(), createdAt: date, subscriber: optional(SubscriberBody) })
  .transform(({ _id: id, ...subscription }) => ({ id, ...subscription }));

export type TopicSubscription = z.output<typeof SubscriptionBody>;

export interface SubscriptionQuery {
  after?: string | undefined;
  limit?: number;
  orderDirection?: 'ASC' | 'DESC';
  subscriberId?: string | undefined;
}

/** A trigger names a workflow by its `identifier`, a list's filter by its `id`. */
export const WorkflowBody = z
  .object({
    ...fields(text, '_id', 'name'),
    triggers: items(z.object({ identifier: text, variables: items(z.object({ name: z.string() })) })),
  })
  .transform(({ _id: id, name, triggers }) => {
    const identifier = triggers.find((trigger) => trigger.identifier !== null)?.identifier ?? name;
    if (identifier === null) return null;
    const variables = triggers.flatMap((trigger) => trigger.variables.map((variable) => variable.name));
    return { id, identifier, name: name ?? identifier, variables: [...new Set(variables)] };
  });

export const MessageBody = z
  .object({
    ...fields(z.string(), '_notificationId', 'transactionId', 'channel', 'status'),
    ...fields(text, 'providerId', '_templateId', 'templateIdentifier'),
    ...fields(text, 'email', 'phone', 'directWebhookUrl'),
    errorId: text.transform(errorIdOf),
    errorText: freeText,
    ...fields(date, 'createdAt', 'lastSeenDate', 'lastReadDate'),
    deliveredAt: items(date).transform(readable),
    ...fields(flag, 'seen', 'read'),
    template: optional(WorkflowBody),
    subscriber: optional(SubscriberBody),
    deviceTokens: items(z.unknown()),
  })
  .transform(({ _notificationId: eventId, _templateId: workflowId, providerId: provider, template, ...message }) => {
    const { templateIdentifier, email, phone, directWebhookUrl, deviceTokens, ...shown } = message;
    return {
      ...shown,
      eventId,
      provider,
      workflowId,
      workflow: templateIdentifier ?? template?.identifier ?? null,
      maskedEmail: email && maskEmail(email),
      maskedPhone: phone && maskPhone(phone),
      devices: deviceTokens.length,
      hasWebhook: directWebhookUrl !== null,
    };
  });

export type Message = z.output<typeof MessageBody>;

export interface MessageQuery {
  channel?: string | undefined;
  subscriberId?: string | undefined;
  transactionIds?: readonly string[];
  contextKeys?: readonly string[];
  page?: number;
  limit?: number;
}

const IntegrationConditionBody = z.object({ children: items(z.object(fields(z.string(), 'on', 'field'))) });

/** Credentials come decrypted, so Notif doesn't read them. */
export const IntegrationBody = z
  .object({
    ...fields(z.string(), 'identifier', 'providerId', 'channel', '_environmentId'),
    ...fields(text, '_id', 'name'),
    deletedAt: date,
    active: z.boolean(),
    ...fields(flag, 'primary', 'deleted'),
    conditions: list(IntegrationConditionBody),
    configurations: optional(z.object({ inboundWebhookEnabled: optional(z.boolean()) })),
  })
  .transform(({ _id: id, _environmentId, providerId, conditions, configurations, ...wire }) => {
    const fields = readable(conditions).flatMap(({ children }) => children.map(({ on, field }) => `${on}.${field}`));
    return {
      ...wire,
      id,
      name: wire.name ?? wire.identifier,
      provider: providerId,
      hasConditions: (conditions ?? []).length > 0,
      conditionFields: [...new Set(fields)].map((field) => new FreeText(field)),
      inboundWebhook: configurations?.inboundWebhookEnabled ?? null,
      serviceEnvironmentId: _environmentId,
    };
  });

export type Integration = z.output<typeof IntegrationBody>;

export function serviceEnvironmentIdIn(listed: readonly Integration[], idInEvent: string | null): string | null {
  const [only = null, ...others] = new Set(listed.map(({ serviceEnvironmentId }) => serviceEnvironmentId));
  return idInEvent ?? (others.length === 0 ? only : null);
}
