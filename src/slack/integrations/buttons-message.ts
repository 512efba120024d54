import type { Button } from '@slack/types';
import type { IntegrationFilter, IntegrationsFound } from '../../domain/lookups/integrations-found.ts';
import { button } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';

/** Shows those of the other environments too, or hides them again. */
export const SCOPE = 'integrations.scope';
export const SHARE = 'integrations.share';

export interface IntegrationsRequest {
  readonly environment: string;
  readonly filter: IntegrationFilter;
  readonly scope: 'own' | 'all';
}

/** The prefix of each entry of a list in a button's value. */
const CHANNEL = 'c';
const PROVIDER = 'p';

export function writeRequest({ environment, filter, scope }: IntegrationsRequest): string {
  const lists = [...filter.channels.map((name) => CHANNEL + name), ...filter.providers.map((name) => PROVIDER + name)];
  return writeValue([environment, scope, ...lists]);
}

export function parseRequest(value: string): IntegrationsRequest | null {
  const [environment, scope, ...lists] = parseValue(value) ?? [];
  if (environment === undefined || (scope !== 'own' && scope !== 'all')) return null;
  const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
  const filter = { channels: listed(CHANNEL), providers: listed(PROVIDER) };
  if (filter.channels.length + filter.providers.length < lists.length) return null;
  return { environment, scope, filter };
}

export function listButtons(found: IntegrationsFound, request: IntegrationsRequest, canShare: boolean): Button[] {
  const isOwn = request.scope === 'own';
  const other = writeRequest({ ...request, scope: isOwn ? 'all' : 'own' });
  return [
    ...(found.elsewhere.length > 0
      ? [button(isOwn ? 'All environments' : `Only ${found.environment.label}`, SCOPE, other)]
      : []),
    ...(found.items.length > 0 && canShare ? [button('Share', SHARE, writeRequest(request))] : []),
  ];
}
