import { InputError } from '../domain/errors.ts';
import { EVENTS_LOOKED_AT, parseAddresses } from '../domain/input/addresses.ts';
import { EXAMPLES, type FilterMap } from '../domain/input/filters.ts';
import { maskEmail } from '../domain/text/mask.ts';
import { type EventPages, subscribersWith } from '../use-cases/subscribers-with.ts';
import { parseWatchSettings, type SettingsDefaults } from './parse-settings.ts';
import type { WatchSettings } from './settings.ts';

export interface AddressFound {
  readonly email: string;
  readonly subscriberIds: readonly string[];
}

export interface AddressCtx {
  readonly serviceOf: (environment: string) => EventPages;
  readonly now: () => Date;
}

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
  const subscriber = [...(typed.subscriber ?? []), ...addresses.flatMap(({ subscriberIds }) => subscriberIds)];
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}
