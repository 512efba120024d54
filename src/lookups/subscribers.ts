import { fold } from '../lib/fold.ts';
import type { FilterMap } from '../lib/input/filters.ts';
import { EVENTS_LOOKED_AT, parseAddresses } from '../lib/input/typed-values.ts';
import { maskEmail } from '../lib/text/mask.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Call, EventQuery, Page, ServiceTime } from '../service/query.ts';

export interface EventPages extends ServiceTime {
  eventPages(query: EventQuery & { readonly before: Date }, call: Call): AsyncIterable<Page<TriggeredEvent>>;
}

/** Subscribers with another address aren't taken: a service may ignore the parameter. Throws `ServiceError`. */
export async function subscribersWith(email: string, service: EventPages, now: Date): Promise<readonly string[]> {
  const masked = fold(maskEmail(email));
  const query = { emails: [email], limit: EVENTS_LOOKED_AT, before: listEnd(now, service.clockAheadMs()) };
  for await (const { items } of service.eventPages(query, { who: 'person' })) {
    const people = items.flatMap(({ subscriber }) => (subscriber === null ? [] : [subscriber]));
    const found = people.filter(({ maskedEmail }) => maskedEmail === null || fold(maskedEmail) === masked);
    return [...new Set(found.map(({ subscriberId }) => subscriberId))];
  }
  return [];
}

/** Failures are stored without addresses. Throws `InputError` for what isn't an address, and `ServiceError`. */
export async function withSubscribers(
  filters: FilterMap,
  service: EventPages,
  now: Date,
): Promise<{ readonly filters: FilterMap; readonly missing: readonly string[] }> {
  const { email = [], subscriber = [] } = filters;
  const emails = parseAddresses(email);
  if (emails.length === 0) return { filters, missing: [] };
  const found = await Promise.all(emails.map((address) => subscribersWith(address, service, now)));
  const missing = emails.filter((_, index) => found[index]?.length === 0);
  return { filters: { ...filters, subscriber: [...subscriber, ...new Set(found.flat())] }, missing };
}
