import { channelAsMeant } from '../../domain/delivery-channels.ts';
import type { IntegrationFilter } from '../../domain/lookups/integrations-found.ts';
import { parseValue, refuseTooLong, writeValue } from '../blocks/button-value.ts';
import type { Asked } from '../interactions/command.ts';

export interface IntegrationsRequest {
  readonly environment: string;
  readonly filter: IntegrationFilter;
}

/**
 * Everything in the environment by default. Throws `InputError` for a filter that can't be applied, and for more values
 * than a button can hold.
 */
export function parseIntegrationsRequest({ filters, environment }: Asked): IntegrationsRequest {
  const filter = { channels: (filters.channel ?? []).map(channelAsMeant), providers: filters.provider ?? [] };
  const request = { environment: environment.name, filter };
  refuseTooLong(writeRequest(request), '/notif integrations channel:email');
  return request;
}

/** The prefix of each entry of a list in a button's value. */
const CHANNEL = 'c';
const PROVIDER = 'p';

export function writeRequest({ environment, filter }: IntegrationsRequest): string {
  const lists = [...filter.channels.map((name) => CHANNEL + name), ...filter.providers.map((name) => PROVIDER + name)];
  return writeValue([environment, ...lists]);
}

export function parseRequest(value: string): IntegrationsRequest | null {
  const [environment, ...lists] = parseValue(value) ?? [];
  if (environment === undefined) return null;
  const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
  const filter = { channels: listed(CHANNEL), providers: listed(PROVIDER) };
  return filter.channels.length + filter.providers.length < lists.length ? null : { environment, filter };
}
