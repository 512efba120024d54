import { parseAddresses } from '../lib/input/email-addresses.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { Phone } from '../lib/input/phone.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { TriggeredEvent } from './event.ts';
import type { EventReader, NotificationService } from './operations.ts';
import { type Misfit, PAGE_SIZE, PERSON } from './query.ts';

/** So many of the newest events of an address are looked at for their subscribers. */
export const EVENTS_BY_EMAIL = 50;
/** The service can't be asked for a phone number, so its newest events are read page by page while a person waits. */
const MOST_EVENTS_BY_PHONE = 5_000;

export type EventLister = Pick<NotificationService, 'listEvents' | 'clockAheadMs'>;

export interface EmailMatch {
  email: string;
  subscriberIds: readonly string[];
  misfits: readonly Misfit[];
}

interface PhoneMatch {
  subscriberIds: readonly string[];
  /** How many of the newest events were looked through, and when the oldest of them was created. */
  searched: number;
  backTo: Date | null;
}

interface ResolvedFilters {
  filters: FilterMap;
  /** Addresses of nobody. */
  missing: readonly string[];
  misfits: readonly Misfit[];
}

export function subscribersByEmail(
  typed: readonly string[],
  services: readonly EventLister[],
  now: Date,
): Promise<EmailMatch[]> {
  return Promise.all(
    parseAddresses(typed).map(async (email) => {
      const pages = services.map((service) => {
        const before = listEnd(now, service.clockAheadMs());
        return service.listEvents({ emails: [email], limit: EVENTS_BY_EMAIL, before }, PERSON);
      });
      const listed = await Promise.all(pages);
      const events = listed.flatMap(({ items }) => items);
      return { email, subscriberIds: subscriberIdsOf(events), misfits: listed.flatMap(({ misfits = [] }) => misfits) };
    }),
  );
}

function subscriberIdsOf(events: readonly TriggeredEvent[]): string[] {
  return [...new Set(events.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []))];
}

/** The service can't filter by phone number. */
export async function subscribersByPhone(
  typed: string,
  { service, now }: { service: EventReader; now: () => Date },
  progress: (searched: number) => void,
): Promise<PhoneMatch> {
  const phone = new Phone(typed);
  const query = { before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  let searched = 0;
  let backTo: Date | null = null;
  for await (const { items, unreadable } of service.eventPages(query, PERSON)) {
    searched += items.length + unreadable.length;
    backTo = items.at(-1)?.createdAt ?? backTo;
    const subscriberIds = subscriberIdsOf(items.filter(({ subscriber }) => subscriber?.phone?.isSame(phone)));
    if (subscriberIds.length > 0) return { subscriberIds, searched, backTo };
    if (searched >= MOST_EVENTS_BY_PHONE) break;
    progress(searched);
  }
  return { subscriberIds: [], searched, backTo };
}

/** Failures are stored without addresses, so addresses become subscriber IDs. */
export async function withSubscribers(filters: FilterMap, service: EventLister, now: Date): Promise<ResolvedFilters> {
  const { email = [], subscriber = [] } = filters;
  if (email.length === 0) return { filters, missing: [], misfits: [] };
  const matches = await subscribersByEmail(email, [service], now);
  const missing = matches.flatMap((match) => (match.subscriberIds.length === 0 ? [match.email] : []));
  const found = new Set(matches.flatMap(({ subscriberIds }) => subscriberIds));
  const misfits = matches.flatMap((match) => match.misfits);
  return { filters: { ...filters, subscriber: [...subscriber, ...found] }, missing, misfits };
}
