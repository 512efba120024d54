import { z } from 'zod';

/** What the contract lets an event of the list lack ("Activity notification", fields that aren't required). */
// biome-ignore format: two rows of names read better than seventeen lines
const optionalOfEvents = [
  '_id', '_templateId', '_digestedNotificationId', 'createdAt', 'updatedAt', 'channels', 'subscriber', 'template', 'jobs', 'payload', 'tags', 'controls', 'to',
  'topics', 'severity', 'critical', 'contextKeys',
] as const;

/** What the contract lets a message of the list lack ("Message", fields that aren't required). */
// biome-ignore format: two rows of names read better than twenty-five lines
const optionalOfMessages = [
  '_id', '_templateId', '_messageTemplateId', 'subscriber', 'template', 'templateIdentifier', 'deliveredAt', 'lastSeenDate', 'lastReadDate', 'content', 'subject',
  'snoozedUntil', 'email', 'phone', 'directWebhookUrl', 'providerId', 'deviceTokens', 'title', '_feedId', 'errorId', 'errorText', 'payload', 'overrides', 'contextKeys',
] as const;

const bound = z.enum(['inclusive', 'exclusive']);

/**
 * How the service behaves where the contract leaves it open, or where the field notes disagree with it. The defaults are the contract's; where it says
 * nothing, what the field notes have seen. The other values are for tests of the bot, the chaos and the simulation.
 */
export const Behavior = z.strictObject({
  /** Whether an event created exactly at `after` is in the list. */
  after: bound.default('inclusive'),
  /** Whether an event created exactly at `before` is in the list. */
  before: bound.default('inclusive'),
  /** The order of events and messages, by `createdAt`. */
  order: z.enum(['newest first', 'oldest first']).default('newest first'),
  /** The order among those of the same millisecond: the same in every answer, or another in each. */
  ties: z.enum(['stable', 'shuffled']).default('stable'),
  /** The fields that events of the list lack; a retrieved event has them all. `['jobs']` is a list without jobs. */
  eventListLacks: z.array(z.enum(optionalOfEvents)).default([]),
  /** The fields that messages of the list lack. */
  messageListLacks: z.array(z.enum(optionalOfMessages)).default([]),
  /** The largest `limit` of the message list, whose maximum the contract doesn't show. */
  messageLimit: z.number().int().min(1).default(1000),
  /** What a credentials update does with the device tokens that are stored: the contract replaces them, the public implementation appends. */
  deviceTokens: z.enum(['replaced', 'appended']).default('replaced'),
  /** Which credentials are stored: all eight, or `webhookUrl`, `channel` and `deviceTokens`, as most providers do. */
  credentials: z.enum(['all', 'three']).default('all'),
});
export type Behavior = z.infer<typeof Behavior>;

/** Some of the switches; those left out stay as they are. */
export type BehaviorChange = Partial<Behavior>;
