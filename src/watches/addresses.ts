import { InputError } from '../domain/errors.ts';
import { EVENTS_LOOKED_AT, parseAddresses } from '../domain/input/addresses.ts';
import { EXAMPLES, type FilterMap } from '../domain/input/filters.ts';
import { maskEmail } from '../domain/text/mask.ts';
import { type EventPages, subscribersWith } from '../lookups/subscribers.ts';
import { parseNames, parseWatchSettings, type SettingsDefaults } from './parse-settings.ts';
import { MOST_NAMES, type WatchSettings } from './settings.ts';

export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}

export interface AddressCtx {
  readonly serviceOf: (environment: string) => EventPages;
  readonly now: () => Date;
}

/** One lookup is a request. */
const MOST_LOOKUPS = 20;

/** A watch has no addresses: they are replaced by their subscribers of now. Throws an `InputError`, or `ServiceError`. */
export async function settingsTyped(
  { serviceOf, now }: AddressCtx,
  { email = [], ...typed }: FilterMap,
  defaults: SettingsDefaults,
): Promise<{ readonly settings: WatchSettings; readonly addresses: readonly AddressFound[] }> {
  const settings = parseWatchSettings(typed, defaults);
  const emails = parseAddresses(email);
  if (emails.length === 0) return { settings, addresses: [] };
  const named = settings.filter.environments;
  const environments = named.length > 0 ? named : defaults.environments.map(({ name }) => name);
  if (emails.length * environments.length > MOST_LOOKUPS) {
    const rule = `is looked up in each environment of the watch, at most ${MOST_LOOKUPS} times`;
    const message = `email: ${rule}: these are ${emails.length} × ${environments.length}.`;
    throw new InputError('email', message, `${EXAMPLES.email} ${EXAMPLES.env}`);
  }
  const lookUp = async (address: string) => {
    const found = await Promise.all(environments.map((name) => subscribersWith(address, serviceOf(name), now())));
    return { email: address, subscriberIds: [...new Set(found.flat())] };
  };
  const addresses = await Promise.all(emails.map(lookUp));
  const missing = addresses.filter(({ subscriberIds }) => subscriberIds.length === 0);
  if (missing.length > 0) {
    const masked = missing.map((address) => maskEmail(address.email)).join(', ');
    const message = `No subscriber of ${masked} found in the newest ${EVENTS_LOOKED_AT} events of ${environments.join(', ')}. Use subscriber: with the ID.`;
    throw new InputError('email', message, EXAMPLES.subscriber);
  }
  const ids = addresses.flatMap(({ subscriberIds }) => subscriberIds);
  const subscriber = [...new Set([...(typed.subscriber ?? []), ...ids])];
  if (subscriber.length > MOST_NAMES) {
    const message = `These are ${subscriber.length} subscribers, and a watch takes at most ${MOST_NAMES}. Choose some with subscriber:.`;
    throw new InputError('email', message, EXAMPLES.subscriber);
  }
  const odd = addresses.find(
    ({ subscriberIds }) => `${parseNames('subscriber', subscriberIds)}` !== `${subscriberIds}`,
  );
  if (odd !== undefined) {
    const who = `the subscriber of ${maskEmail(odd.email)}`;
    throw new InputError('email', `A watch can't have ${who}: its ID has quotes or outer spaces.`);
  }
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}
