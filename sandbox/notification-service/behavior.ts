import { z } from 'zod';

/** Fields that an event of the list can lack by the contract ("Activity notification", fields that aren't required). */
// biome-ignore format: two rows of names read better than seventeen lines
const optionalOfEvents = [
  '_id', '_templateId', '_digestedNotificationId', 'createdAt', 'updatedAt', 'channels', 'subscriber', 'template', 'jobs', 'payload', 'tags', 'controls', 'to',
  'topics', 'severity', 'critical', 'contextKeys',
] as const;

/** Fields that a message of the list can lack by the contract ("Message", fields that aren't required). */
// biome-ignore format: two rows of names read better than twenty-five lines
const optionalOfMessages = [
  '_id', '_templateId', '_messageTemplateId', 'subscriber', 'template', 'templateIdentifier', 'deliveredAt', 'lastSeenDate', 'lastReadDate', 'content', 'subject',
  'snoozedUntil', 'email', 'phone', 'directWebhookUrl', 'providerId', 'deviceTokens', 'title', '_feedId', 'errorId', 'errorText', 'payload', 'overrides', 'contextKeys',
] as const;

const bound = z.enum(['inclusive', 'exclusive']);

/**
 * The service's behavior where the contract leaves it open, or where the field notes disagree with it. The defaults are the contract's;
 * where it says nothing, what the field notes report. The other values are for tests of the bot, the chaos tests and the simulation.
 */
export const Behavior = z.strictObject({
  /** Whether an event created exactly at `after` is in the list. */
  after: bound.default('inclusive'),
  /** Whether an event created exactly at `before` is in the list. */
  before: bound.default('inclusive'),
  /** The order of events and messages, by `createdAt`. */
  order: z.enum(['newest first', 'oldest first']).default('newest first'),
  /** The order of those with the same millisecond: the same in every answer, or different in each. */
  ties: z.enum(['stable', 'shuffled']).default('stable'),
  /** The fields that events of the list lack. A retrieved event has them all. `['jobs']` is a list without jobs. */
  eventListLacks: z.array(z.enum(optionalOfEvents)).default([]),
  /** The fields that messages of the list lack. */
  messageListLacks: z.array(z.enum(optionalOfMessages)).default([]),
  /** The largest `limit` of the message list; the contract doesn't state a maximum. */
  messageLimit: z.number().int().min(1).default(1000),
  /** What a credentials update does with stored device tokens: the contract replaces them, the public implementation appends. */
  deviceTokens: z.enum(['replaced', 'appended']).default('replaced'),
  /** Which credentials are stored: all eight, or `webhookUrl`, `channel` and `deviceTokens`, as most providers do. */
  credentials: z.enum(['all', 'three']).default('all'),
});
export type Behavior = z.infer<typeof Behavior>;

/** Some of the switches. Omitted ones stay unchanged. */
export type BehaviorChange = Partial<Behavior>;
