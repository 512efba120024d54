import { z } from 'zod';
import { initials, maskEmail, maskPhone } from '../lib/text/mask.ts';
import type { Page } from './query.ts';
import { all, type Fixed, optional, text, time } from './schema.ts';

/** Contacts and names are masked here and go no further. */
export const SubscriberBody = z
  .object({ subscriberId: z.string(), ...all(text, 'firstName', 'lastName', 'email', 'phone') })
  .transform(({ subscriberId, firstName, lastName, email, phone }) => ({
    subscriberId,
    initials: initials(firstName, lastName),
    maskedEmail: email && maskEmail(email),
    maskedPhone: phone && maskPhone(phone),
  }));

const TopicBody = z.object({ key: z.string(), name: text, createdAt: time, updatedAt: time });

export const SubscriptionBody = z
  .object({ _id: z.string(), createdAt: time, topic: TopicBody, subscriber: optional(SubscriberBody) })
  .transform(({ _id: id, ...subscription }) => ({ id, ...subscription }));

export type TopicSubscription = Fixed<z.output<typeof SubscriptionBody>>;

export interface SubscriptionQuery {
  after?: string;
  limit?: number;
  orderDirection?: 'ASC' | 'DESC';
  orderBy?: string;
  subscriberId?: string;
}

export interface SubscriptionPage extends Page<TopicSubscription> {
  next: string | null;
  totalCount: number | null;
  totalCountCapped: boolean;
}
