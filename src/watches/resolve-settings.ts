import type { Environment } from '../lib/environment.ts';
import { InputError } from '../lib/errors.ts';
import { exampleOf, type FilterMap } from '../lib/input/filters.ts';
import { maskEmail } from '../lib/text/mask.ts';
import {
  type EmailMatch,
  EVENTS_BY_EMAIL,
  type EventLister,
  subscribersByEmail,
} from '../service/subscribers-by-contact.ts';
import { parseWatchSettings } from './parse-settings.ts';
import type { WatchSettings } from './settings.ts';

export interface ResolveCtx {
  environments: readonly Environment[];
  serviceOf: (environment: string) => EventLister;
  now: () => Date;
}

interface ResolvedSettings {
  settings: WatchSettings;
  addresses: readonly EmailMatch[];
}

export async function resolveSettings(
  ctx: ResolveCtx,
  { email = [], ...typed }: FilterMap,
  timeZone: string = 'UTC',
): Promise<ResolvedSettings> {
  const defaults = { ...ctx, timeZone };
  const settings = parseWatchSettings(typed, defaults);
  // Emails are looked up in these environments.
  const { environments: named } = settings.filter;
  const environments = named.length > 0 ? named : ctx.environments.map(({ name }) => name);
  const addresses = await subscribersByEmail(email, environments.map(ctx.serviceOf), ctx.now());
  const missing = addresses.filter(({ subscriberIds }) => subscriberIds.length === 0);
  if (missing.length > 0) {
    const masked = missing.map((address) => maskEmail(address.email)).join(', ');
    const where = `the newest ${EVENTS_BY_EMAIL} events of ${environments.join(', ')}`;
    const message = `No subscriber of ${masked} found in ${where}. Use subscriber: with the ID.`;
    throw new InputError('email', message, exampleOf('subscriber'));
  }
  const subscriber = [...(typed.subscriber ?? []), ...addresses.flatMap(({ subscriberIds }) => subscriberIds)];
  return { settings: parseWatchSettings({ ...typed, subscriber }, defaults), addresses };
}
