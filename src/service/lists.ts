import { z } from 'zod';
import { Phone } from '../lib/input/phone.ts';
import { hashOf } from '../lib/text/hash.ts';
import { initials, maskEmail, maskPhone } from '../lib/text/mask.ts';
import { AuthoredText, type FreeText } from '../lib/text/scrub.ts';
import { ChannelBody, type ChannelSettings } from './credentials.ts';
import { date, errorIdOf, fields, flag, freeText, items, list, optional, readable, text } from './schema.ts';

export const topicKey = z.object({ topicKey: z.string() }).transform(({ topicKey }) => topicKey);

/** Contacts and names are masked as they are read, and go no further. */
export interface Subscriber {
  subscriberId: string;
  initials: string | null;
  maskedEmail: string | null;
  phone: Phone | null;
  locale: string | null;
  timeZone: string | null;
  isOnline: boolean | null;
  lastOnlineAt: Date | null;
  isDeleted: boolean;
  settings: readonly ChannelSettings[] | null;
}

export const SubscriberBody = z
  .object({
    subscriberId: z.string(),
    ...fields(text, 'firstName', 'lastName', 'email', 'phone', 'locale', 'timezone'),
    deleted: flag,
    channels: optional(items(ChannelBody)),
    isOnline: optional(z.boolean()),
    lastOnlineAt: date,
  })
  .transform(
    (wire): Subscriber => ({
      subscriberId: wire.subscriberId,
      initials: initials(wire.firstName, wire.lastName),
      maskedEmail: wire.email && maskEmail(wire.email),
      phone: wire.phone === null ? null : new Phone(wire.phone),
      locale: wire.locale,
      timeZone: wire.timezone,
      isOnline: wire.isOnline,
      lastOnlineAt: wire.lastOnlineAt,
      isDeleted: wire.deleted,
      settings: wire.channels,
    }),
  );

export interface TopicSubscription {
  id: string;
  createdAt: Date | null;
  subscriber: Subscriber | null;
}

export const SubscriptionBody: z.ZodType<TopicSubscription> = z
  .object({ _id: z.string(), createdAt: date, subscriber: optional(SubscriberBody) })
  .transform(({ _id: id, ...subscription }) => ({ id, ...subscription }));

/** A trigger names a workflow by its `identifier`, a list's filter by its `id`. */
export interface Workflow {
  id: string | null;
  identifier: string;
  name: string;
  variables: readonly string[];
}

export const WorkflowBody = z
  .object({
    ...fields(text, '_id', 'name'),
    triggers: items(z.object({ identifier: text, variables: items(z.object({ name: z.string() })) })),
  })
  .transform(({ _id: id, name, triggers }): Workflow | null => {
    const identifier = triggers.find((trigger) => trigger.identifier !== null)?.identifier ?? name;
    if (identifier === null) return null;
    const variables = triggers.flatMap((trigger) => trigger.variables.map((variable) => variable.name));
    return { id, identifier, name: name ?? identifier, variables: [...new Set(variables)] };
  });

export interface Message {
  jobId: string | null;
  eventId: string;
  transactionId: string;
  channel: string;
  status: string;
  provider: string | null;
  workflowId: string | null;
  /** Its identifier. */
  workflow: string | null;
  subscriber: Subscriber | null;
  maskedEmail: string | null;
  maskedPhone: string | null;
  devices: number;
  hasWebhook: boolean;
  errorId: string | null;
  errorText: FreeText | null;
  createdAt: Date | null;
  deliveredAt: readonly Date[];
  seen: boolean;
  read: boolean;
  lastSeenDate: Date | null;
  lastReadDate: Date | null;
}

export const MessageBody: z.ZodType<Message> = z
  .object({
    ...fields(z.string(), '_notificationId', 'transactionId', 'channel', 'status'),
    ...fields(text, 'providerId', '_templateId', 'templateIdentifier', '_jobId'),
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
    const { _jobId: jobId, templateIdentifier, email, phone, directWebhookUrl, deviceTokens, ...shown } = message;
    return {
      ...shown,
      eventId,
      jobId,
      provider,
      workflowId,
      workflow: templateIdentifier ?? template?.identifier ?? null,
      maskedEmail: email && maskEmail(email),
      maskedPhone: phone && maskPhone(phone),
      devices: deviceTokens.length,
      hasWebhook: directWebhookUrl !== null,
    };
  });

/** What sends a channel's messages in an environment. */
export interface Integration {
  id: string | null;
  identifier: string;
  name: string;
  provider: string;
  channel: string;
  active: boolean;
  primary: boolean;
  deleted: boolean;
  deletedAt: Date | null;
  hasConditions: boolean;
  conditionFields: readonly AuthoredText[];
  inboundWebhook: boolean | null;
  /** Tells that credentials changed, and too short to tell which they are; null: the answer has none. */
  credentialsMark: string | null;
  serviceEnvironmentId: string;
}

const IntegrationConditionBody = z.object({ children: items(z.object(fields(z.string(), 'on', 'field'))) });

/** Credentials come decrypted, and go no further. */
export const IntegrationBody: z.ZodType<Integration> = z
  .object({
    ...fields(z.string(), 'identifier', 'providerId', 'channel', '_environmentId'),
    ...fields(text, '_id', 'name'),
    deletedAt: date,
    active: z.boolean(),
    ...fields(flag, 'primary', 'deleted'),
    conditions: list(IntegrationConditionBody),
    credentials: z.record(z.string(), z.unknown()).nullish().catch(null),
    configurations: optional(z.object({ inboundWebhookEnabled: optional(z.boolean()) })),
  })
  .transform(({ _id: id, _environmentId, providerId, conditions, credentials, configurations, ...wire }) => {
    const conditionFields = readable(conditions).flatMap(({ children }) =>
      children.map(({ on, field }) => `${on}.${field}`),
    );
    return {
      ...wire,
      id,
      name: wire.name ?? wire.identifier,
      provider: providerId,
      hasConditions: (conditions ?? []).length > 0,
      conditionFields: [...new Set(conditionFields)].map((field) => new AuthoredText(field)),
      inboundWebhook: configurations?.inboundWebhookEnabled ?? null,
      credentialsMark: credentials == null ? null : markOf(wire.identifier, credentials),
      serviceEnvironmentId: _environmentId,
    };
  });

/** Sixteen bits: one in 65,536 changes goes unseen, and nobody can find a key or password by it. */
function markOf(identifier: string, credentials: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(credentials).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify([identifier, sorted]), 4);
}

/** Returns the environment that an event shows, or the only one that integrations have. */
export function serviceEnvironmentIdIn(listed: readonly Integration[], idInEvent: string | null): string | null {
  const [only = null, ...others] = new Set(listed.map(({ serviceEnvironmentId }) => serviceEnvironmentId));
  return idInEvent ?? (others.length === 0 ? only : null);
}
