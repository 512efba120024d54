import { z } from 'zod';
import type { Subscriber } from '../entities.ts';
import type { World } from '../world.ts';
import { ChannelUpdate, storeCredentials } from './subscribers.ts';

const text = z.string().nullish();

const Profile = z.object({
  subscriberId: z.string(),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  avatar: text,
  locale: text,
  timezone: text,
  data: z.record(z.string(), z.unknown()).nullish(),
  channels: z.array(ChannelUpdate).optional(),
});
type Profile = z.infer<typeof Profile>;

type Recipient = { kind: 'subscriber'; profile: Profile } | { kind: 'topic'; topicKey: string } | { kind: 'invalid' };

const OneRecipient = z.union([
  z.string().transform((subscriberId): Recipient => toSubscriber({ subscriberId })),
  z
    .object({ type: z.literal('Topic'), topicKey: z.string() })
    .transform(({ topicKey }): Recipient => ({ kind: 'topic', topicKey })),
  Profile.transform(toSubscriber),
  z.unknown().transform((): Recipient => ({ kind: 'invalid' })),
]);

const missing = 'to should not be null or undefined';
const given = z.custom<unknown>((to) => to !== undefined && to !== null);

/** `to`: an external id, a profile, a topic, or a list of those; what is none of them is an invalid recipient. */
export const Recipients = z
  .union([z.array(OneRecipient), given.pipe(OneRecipient).transform((recipient) => [recipient])], missing)
  .refine((recipients) => recipients.length > 0, missing);

/** The ids that the service accepts for a subscriber. */
function toSubscriber(profile: Profile): Recipient {
  return /^[\w.@+|:-]+$/.test(profile.subscriberId) ? { kind: 'subscriber', profile } : { kind: 'invalid' };
}

/** Each person once, however many ways lead to them. A profile with more than its id updates the subscriber. */
export function peopleFor(
  world: World,
  recipients: readonly Recipient[],
): { subscriber: Subscriber; topicKey: string | null }[] {
  const people = new Map<string, { subscriber: Subscriber; topicKey: string | null }>();
  for (const recipient of recipients) {
    if (recipient.kind === 'subscriber')
      people.set(recipient.profile.subscriberId, { subscriber: upsert(world, recipient.profile), topicKey: null });
    if (recipient.kind === 'topic') {
      for (const { subscriberId } of world.topics.get(recipient.topicKey)?.subscriptions ?? []) {
        const known = people.get(subscriberId);
        people.set(subscriberId, known ?? { subscriber: world.subscriber(subscriberId), topicKey: recipient.topicKey });
      }
    }
  }
  return [...people.values()];
}

function upsert(world: World, { subscriberId, channels = [], ...profile }: Profile): Subscriber {
  const subscriber = world.subscriber(subscriberId);
  for (const channel of channels) storeCredentials(world, subscriber, channel);
  const given = Object.entries(profile).filter(([, value]) => value !== undefined);
  if (given.length === 0) return subscriber;
  return Object.assign(subscriber, Object.fromEntries(given), {
    updatedAt: new Date(world.now()).toISOString(),
    __v: subscriber.__v + 1,
  });
}
