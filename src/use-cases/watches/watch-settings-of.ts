import { InputError } from '../../domain/errors.ts';
import { EVENTS_LOOKED_AT, parseAddresses } from '../../domain/input/addresses.ts';
import { EXAMPLES, type FilterMap } from '../../domain/input/filters.ts';
import { maskEmail } from '../../domain/text/mask.ts';
import type { AddressFound } from '../../domain/watches/address-found.ts';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import { parseWatchSettings, type SettingsDefaults } from '../../domain/watches/watch-settings.ts';
import { MOST_NAMES, parseNames } from '../../domain/watches/watch-values.ts';
import { type EventPages, subscribersWith } from '../subscribers-with.ts';

export interface AddressParts {
  readonly serviceOf: (environment: string) => EventPages;
  readonly now: () => Date;
}

export interface SettingsRead {
  readonly settings: WatchSettings;
  readonly addresses: readonly AddressFound[];
}

/** One lookup is a request. */
const MOST_LOOKUPS = 20;

/** A watch has no addresses: they are replaced by their subscribers of now. Throws an `InputError`, or `ServiceError`. */
export async function watchSettingsOf(
  { email = [], ...typed }: FilterMap,
  defaults: SettingsDefaults,
  { serviceOf, now }: AddressParts,
): Promise<SettingsRead> {
  const settings = parseWatchSettings(typed, defaults);
  const emails = parseAddresses(email);
  if (emails.length === 0) return { settings, addresses: [] };
  const named = settings.filter.environments;
  const environments = named.length > 0 ? named : defaults.environments.map(({ name }) => name);
  if (emails.length * environments.length > MOST_LOOKUPS) throw tooManyLookups(emails.length, environments.length);
  const addresses = await Promise.all(
    emails.map(async (one) => {
      const found = await Promise.all(environments.map((name) => subscribersWith(one, serviceOf(name), now())));
      return { email: one, subscriberIds: [...new Set(found.flat())] };
    }),
  );
  const missing = addresses.filter(({ subscriberIds }) => subscriberIds.length === 0);
  if (missing.length > 0) throw notFound(missing, environments);
  const subscriber = [...new Set([...(typed.subscriber ?? []), ...addresses.flatMap((one) => one.subscriberIds)])];
  requireWatchable(addresses, subscriber.length);
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}

function tooManyLookups(emails: number, environments: number): InputError {
  return new InputError(
    'email',
    `email: is looked up in each environment of the watch, at most ${MOST_LOOKUPS} times: these are ${emails} × ${environments}.`,
    `${EXAMPLES.email} ${EXAMPLES.env}`,
  );
}

function notFound(missing: readonly AddressFound[], environments: readonly string[]): InputError {
  const masked = missing.map(({ email }) => maskEmail(email)).join(', ');
  return new InputError(
    'email',
    `No subscriber of ${masked} found in the newest ${EVENTS_LOOKED_AT} events of ${environments.join(', ')}. Use subscriber: with the ID.`,
    EXAMPLES.subscriber,
  );
}

/** Throws an `InputError` if a watch can't have all of these subscribers, or not by their exact IDs. */
function requireWatchable(addresses: readonly AddressFound[], subscribers: number): void {
  if (subscribers > MOST_NAMES) {
    const message = `These are ${subscribers} subscribers, and a watch takes at most ${MOST_NAMES}. Choose some with subscriber:.`;
    throw new InputError('email', message, EXAMPLES.subscriber);
  }
  for (const { email, subscriberIds } of addresses) {
    if (parseNames('subscriber', subscriberIds).join() === subscriberIds.join()) continue;
    throw new InputError(
      'email',
      `A watch can't have the subscriber of ${maskEmail(email)}: its ID has quotes or outer spaces.`,
    );
  }
}
