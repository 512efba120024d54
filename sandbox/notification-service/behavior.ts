import { z } from 'zod';

/** Fields that an event of the list can lack by the contract ("Activity notification", fields that aren't required). */
// biome-ignore format: two rows of names read better than seventeen lines
const optionalOfEvents = [
  '_id', '_templateId', '_digestedNotificationId', 'createdAt', 'updatedAt', 'channels', 'subscriber', 'template', 'jobs', 'payload', 'tags', 'controls', 'to',
  'topics', 'severity', 'critical', 'contextKeys',
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
});
export type Behavior = z.infer<typeof Behavior>;

export type BehaviorChange = Partial<Behavior>;
