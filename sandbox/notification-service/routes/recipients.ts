import { z } from 'zod';
import type { Subscriber } from '../entities.ts';
import type { World } from '../world.ts';
import { RecipientChannel, storeCredentials } from './subscribers.ts';

const text = (name: string) => z.string(`${name} must be a string`).optional();

const Profile = z.strictObject({
  subscriberId: text('subscriberId'),
  firstName: text('firstName'),
  lastName: text('lastName'),
  email: text('email'),
  phone: text('phone'),
  avatar: text('avatar'),
  locale: text('locale'),
  timezone: text('timezone'),
  data: z.record(z.string(), z.unknown(), 'data must be an object').optional(),
  channels: z.array(RecipientChannel, 'channels must be an array').optional(),
});
type Profile = z.infer<typeof Profile>;

export type Recipient = { kind: 'subscriber'; profile: Profile & { subscriberId: string } } | { kind: 'invalid' };

/** A plain subscriber ID (field notes, "Trigger") is parsed as a definition with nothing else. */
const Definition = z.preprocess(
  (recipient) => (typeof recipient === 'string' ? { subscriberId: recipient } : recipient),
  Profile,
);

/**
 * `to`: a list of subscriber definitions (contract, "Trigger event item"), or of plain IDs, as the field notes have them for sending again.
 * Other forms are "not shown" and refused. A definition with a missing or malformed `subscriberId` is an invalid recipient.
 */
export const Recipients = z
  .array(Definition.transform(toRecipient), 'to must be an array of subscriber definitions')
  .min(1, 'to should not be empty');

/** Accepts only IDs that the service allows for a subscriber. */
function toRecipient({ subscriberId = '', ...profile }: Profile): Recipient {
  if (!/^[\w.@+|:-]+$/.test(subscriberId)) return { kind: 'invalid' };
  return { kind: 'subscriber', profile: { ...profile, subscriberId } };
}

/** Returns each person once. A profile with more than its ID updates the subscriber. */
export function peopleFor(world: World, recipients: readonly Recipient[]): readonly Subscriber[] {
  const people = recipients.flatMap((recipient) =>
    recipient.kind === 'subscriber' ? [upsert(world, recipient.profile)] : [],
  );
  return [...new Set(people)];
}

function upsert(
  world: World,
  { subscriberId, channels = [], ...profile }: Profile & { subscriberId: string },
): Subscriber {
  const subscriber = world.subscriber(subscriberId);
  for (const channel of channels) storeCredentials(world, subscriber, channel);
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  if (given.length === 0) return subscriber;
  return Object.assign(subscriber, Object.fromEntries(given), {
    updatedAt: new Date(world.now()).toISOString(),
    __v: subscriber.__v + 1,
  });
}
