import type { Button } from '@slack/types';
import { type FoundEvent, targetOf } from '../../domain/lookups/looked-up.ts';
import { button } from '../blocks/blocks.ts';
import { parseValue, writeValue } from '../blocks/button-value.ts';
import { type LookupRequest, parseLookup, writeLookup } from '../blocks/buttons/lookup-button.ts';

/** The button that shows what a card had no room for. */
export const MORE = 'event.more';

/** The part of an event that continues below its card. */
export type Part = 'steps' | 'messages' | 'merged';

/** A part's rows from an offset counted from 0. */
export interface MoreRequest {
  readonly request: LookupRequest;
  readonly part: Part;
  readonly from: number;
}

const LABELS: { readonly [P in Part]: string } = {
  steps: 'More steps',
  messages: 'More messages',
  merged: 'Show them',
};

export function moreButton(found: Pick<FoundEvent, 'environment' | 'event'>, part: Part, from: number): Button {
  const request = { environment: found.environment.name, target: targetOf(found.event) };
  return button(LABELS[part], MORE, writeMore({ request, part, from }));
}

export function writeMore({ request, part, from }: MoreRequest): string {
  return writeValue([part, String(from), writeLookup(request)]);
}

/** Parses a value of `writeMore`. Null for anything else. */
export function parseMore(value: string): MoreRequest | null {
  const [part, from = '', lookup = ''] = parseValue(value) ?? [];
  const request = parseLookup(lookup);
  if (request === null || !/^\d{1,5}$/.test(from)) return null;
  if (part !== 'steps' && part !== 'messages' && part !== 'merged') return null;
  return { request, part, from: Number(from) };
}
