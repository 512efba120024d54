import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { type CommandText, type FilterKey, type FilterMap, refuseOthers } from '../lib/input/filters.ts';
import { distinct, eventIdOrTransaction, type Recognised, recognise } from '../lib/input/ids.ts';
import { Phone } from '../lib/input/phone.ts';
import { parseAddresses } from '../lib/input/typed-values.ts';
import { MASK } from '../lib/text/mask.ts';
import { listEnd } from '../lib/time/service-clock.ts';
import type { EventReader, NotificationService } from './operations.ts';
import { type Misfit, PAGE_SIZE, PERSON } from './query.ts';

const ID_FILTERS = ['subscriber', 'email', 'tx', 'env'] as const satisfies readonly FilterKey[];

/** Throws `InputError` for a filter that a lookup can't apply. */
export function typedTargets(
  { words, filters }: CommandText,
  environments: readonly Environment[],
): readonly Recognised[] {
  const { subscriber = [], email = [], tx = [] } = filters;
  const named = (kind: 'subscriber' | 'email') => (id: string) => ({ target: { kind, id }, environment: null });
  const targets = distinct([
    ...recognise(words.join(' '), environments),
    ...tx.map((id) => eventIdOrTransaction(id, environments)),
    ...subscriber.map(named('subscriber')),
    ...parseAddresses(email).map(named('email')),
  ]);
  if (targets.length > 0) refuseOthers(filters, ID_FILTERS, '/notif');
  return targets;
}

/** Messages mask contacts, and people copy them from there. */
export function refuseMasked(text: string): void {
  if (!text.includes(MASK) || recognise(text, []).some(({ target }) => !target.id.includes(MASK))) return;
  const what = 'This ID is masked, and the service knows only the whole one. Give that, or a transaction ID.';
  throw new InputError('event', what, '/notif event txn_8f2c91');
}

export const EVENTS_LOOKED_AT = 50;

export type EventLister = Pick<NotificationService, 'listEvents' | 'clockAheadMs'>;

async function subscribersWith(email: string, service: EventLister, now: Date) {
  const query = { emails: [email], limit: EVENTS_LOOKED_AT, before: listEnd(now, service.clockAheadMs()) };
  const { items, misfits = [] } = await service.listEvents(query, PERSON);
  return { ids: items.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []), misfits };
}

export interface AddressFound {
  email: string;
  subscriberIds: readonly string[];
  misfits: readonly Misfit[];
}

export function addressesFound(
  typed: readonly string[],
  services: readonly EventLister[],
  now: Date,
): Promise<AddressFound[]> {
  return Promise.all(
    parseAddresses(typed).map(async (email) => {
      const found = await Promise.all(services.map((service) => subscribersWith(email, service, now)));
      const subscriberIds = [...new Set(found.flatMap(({ ids }) => ids))];
      return { email, subscriberIds, misfits: found.flatMap(({ misfits }) => misfits) };
    }),
  );
}

const EVENTS_SEARCHED = 5_000;

/** Of the newest events, until one has the number: the service filters by none. */
export async function subscribersByPhone(
  typed: string,
  { service, now }: { service: EventReader; now: () => Date },
  progress: (looked: number) => void,
): Promise<{ subscriberIds: readonly string[]; looked: number; backTo: Date | null }> {
  const phone = new Phone(typed);
  const query = { before: listEnd(now(), service.clockAheadMs()), limit: PAGE_SIZE };
  let looked = 0;
  let backTo: Date | null = null;
  for await (const { items, unreadable } of service.eventPages(query, PERSON)) {
    looked += items.length + unreadable.length;
    backTo = items.at(-1)?.createdAt ?? backTo;
    const found = items.filter(({ subscriber }) => subscriber?.phone?.isSame(phone));
    const subscriberIds = [...new Set(found.flatMap(({ subscriber }) => subscriber?.subscriberId ?? []))];
    if (subscriberIds.length > 0) return { subscriberIds, looked, backTo };
    if (looked >= EVENTS_SEARCHED) break;
    progress(looked);
  }
  return { subscriberIds: [], looked, backTo };
}

/** Failures are stored without addresses. */
export async function withSubscribers(
  filters: FilterMap,
  service: EventLister,
  now: Date,
): Promise<{ filters: FilterMap; missing: readonly string[]; misfits: readonly Misfit[] }> {
  const { email = [], subscriber = [] } = filters;
  if (email.length === 0) return { filters, missing: [], misfits: [] };
  const found = await addressesFound(email, [service], now);
  const missing = found.flatMap(({ email, subscriberIds }) => (subscriberIds.length === 0 ? [email] : []));
  const known = new Set(found.flatMap(({ subscriberIds }) => subscriberIds));
  const misfits = found.flatMap(({ misfits }) => misfits);
  return { filters: { ...filters, subscriber: [...subscriber, ...known] }, missing, misfits };
}
