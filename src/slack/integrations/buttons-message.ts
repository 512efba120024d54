import type { Button } from '@slack/types';
import type { IntegrationFilter, IntegrationsFound } from '../../domain/lookups/integrations-found.ts';
import { button } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { offsetButtons } from '../blocks/buttons/offset-buttons.ts';

export const PREVIOUS = 'integrations.previous';
export const NEXT = 'integrations.next';
/** Shows those of the other environments too, or hides them again. */
export const SCOPE = 'integrations.scope';
export const SHARE = 'integrations.share';

export const INTEGRATIONS_A_PAGE = 15;

/** A `/notif integrations` request: which integrations, and from which one on, counted from 0. */
export interface IntegrationsRequest {
  readonly environment: string;
  readonly filter: IntegrationFilter;
  readonly scope: 'own' | 'all';
  readonly offset: number;
}

/** The prefix of each entry of a list in a button's value. */
const CHANNEL = 'c';
const PROVIDER = 'p';

/** Encodes a request as a button's value. A click asks the same question again. */
export function writeRequest({ environment, filter, scope, offset }: IntegrationsRequest): string {
  const lists = [...filter.channels.map((name) => CHANNEL + name), ...filter.providers.map((name) => PROVIDER + name)];
  return writeValue([environment, scope, String(offset), ...lists]);
}

/** Parses a value of `writeRequest`. Null for anything else. */
export function parseRequest(value: string): IntegrationsRequest | null {
  const [environment, scope, offset = '', ...lists] = parseValue(value) ?? [];
  if (environment === undefined || (scope !== 'own' && scope !== 'all') || !/^\d{1,9}$/.test(offset)) return null;
  const listed = (kind: string) => lists.filter((entry) => entry.startsWith(kind)).map((entry) => entry.slice(1));
  const filter = { channels: listed(CHANNEL), providers: listed(PROVIDER) };
  if (filter.channels.length + filter.providers.length < lists.length) return null;
  return { environment, scope, offset: Number(offset), filter };
}

/** Builds the buttons under a page with `shown` integrations. */
export function pageButtons(
  found: IntegrationsFound,
  request: IntegrationsRequest,
  { shown, canShare }: { readonly shown: number; readonly canShare: boolean },
): Button[] {
  const { offset, scope } = request;
  const ask = (label: string, id: string, change: Partial<IntegrationsRequest>) =>
    button(label, id, writeRequest({ ...request, ...change }));
  const other = scope === 'own' ? 'all' : 'own';
  const label = scope === 'own' ? 'All environments' : `Only ${found.environment.label}`;
  return [
    ...offsetButtons(
      'integrations',
      { offset, shown, pageSize: INTEGRATIONS_A_PAGE, hasNext: offset + shown < found.items.length },
      { previous: PREVIOUS, next: NEXT, write: (at) => writeRequest({ ...request, offset: at }) },
    ),
    ...(found.elsewhere.length > 0 ? [ask(label, SCOPE, { scope: other, offset: 0 })] : []),
    ...(found.items.length > 0 && canShare ? [ask('Share', SHARE, {})] : []),
  ];
}
