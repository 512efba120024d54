import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { type CommandText, exampleOf, type FilterKey, type FilterMap, refuseOthers } from '../lib/input/filters.ts';
import { distinctTargets, eventIdOrTransaction, type Recognized, recognize } from '../lib/input/ids.ts';
import { Phone } from '../lib/input/phone.ts';
import { parseAddresses } from '../lib/input/typed-values.ts';
import { MASK } from '../lib/text/mask.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { TriggeredEvent } from './event.ts';
import type { EventReader, NotificationService } from './operations.ts';
import { type Misfit, PAGE_SIZE, PERSON } from './query.ts';

const ID_FILTERS = ['subscriber', 'email', 'tx', 'env'] as const satisfies readonly FilterKey[];

export function typedTargets({ words, filters }: CommandText, environments: readonly Environment[]): Recognized[] {
  const { subscriber = [], email = [], tx = [] } = filters;
  const named = (kind: 'subscriber' | 'email') => (id: string) => ({ target: { kind, id }, environment: null });
  const targets = distinctTargets([
    ...recognize(words.join(' '), environments),
    ...tx.map((id) => eventIdOrTransaction(id, environments)),
    ...subscriber.map(named('subscriber')),
    ...parseAddresses(email).map(named('email')),
  ]);
  const example = `/notif events ${exampleOf('email')} ${exampleOf('workflow')}`;
  if (targets.length > 0) refuseOthers(filters, ID_FILTERS, '/notif', example);
  return targets;
}

/** People copy masked contacts from messages. */
export function refuseMasked(text: string): void {
  if (!text.includes(MASK) || recognize(text, []).some(({ target }) => !target.id.includes(MASK))) return;
  throw new InputError('event', `This ID is masked (${MASK}). Paste the full ID.`, '/notif event txn_8f2c91');
}

export const EVENTS_LOOKED_AT = 50;

export type EventLister = Pick<NotificationService, 'listEvents' | 'clockAheadMs'>;

export interface EmailMatch {
  email: string;
  subscriberIds: readonly string[];
  misfits: readonly Misfit[];
}

interface PhoneMatch {
  subscriberIds: readonly string[];
  searched: number;
  backTo: Date | null;
}

/** `missing` are addresses that nobody was found by. */
interface ResolvedFilters {
  filters: FilterMap;
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
        return service.listEvents({ emails: [email], limit: EVENTS_LOOKED_AT, before }, PERSON);
      });
      const listed = await Promise.all(pages);
      const events = listed.flatMap(({ items }) => items);
      return { email, subscriberIds: subscriberIdsOf(events), misfits: listed.flatMap(({ misfits = [] }) => misfits) };
    }),
  );
}

function subscriberIdsOf(events: readonly TriggeredEvent[]) {
  return [...new Set(events.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []))];
}

const EVENTS_SEARCHED = 5_000;

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
    if (searched >= EVENTS_SEARCHED) break;
    progress(searched);
  }
  return { subscriberIds: [], searched, backTo };
}

/** Failures are stored without addresses, so addresses become subscriber IDs. */
export async function withSubscribers(filters: FilterMap, service: EventLister, now: Date): Promise<ResolvedFilters> {
  const { email = [], subscriber = [] } = filters;
  if (email.length === 0) return { filters, missing: [], misfits: [] };
  const addresses = await subscribersByEmail(email, [service], now);
  const missing = addresses.flatMap(({ email, subscriberIds }) => (subscriberIds.length === 0 ? [email] : []));
  const known = new Set(addresses.flatMap(({ subscriberIds }) => subscriberIds));
  const misfits = addresses.flatMap(({ misfits }) => misfits);
  return { filters: { ...filters, subscriber: [...subscriber, ...known] }, missing, misfits };
}
