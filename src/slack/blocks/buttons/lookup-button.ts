import type { Button } from '@slack/types';
import type { NotificationId } from '../../../domain/input/ids.ts';
import { isContact } from '../../../domain/text/shown-id.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_TEXT } from '../limits.ts';
import { plain } from '../text.ts';

export const LOOK_UP = 'event.look-up';

/** Its value is made by `writeLookup`, like all of that card's. */
export const SEND_AGAIN = 'event.send-again';

export interface LookupRequest {
  readonly environment: string;
  readonly target: NotificationId;
}

export function lookUpButton(request: LookupRequest, label = 'Look up'): Button {
  return button(label, LOOK_UP, writeLookup(request));
}

/** An event of `what`, by which screen readers distinguish it: 'Email · SendGrid — order-shipped'. */
export function exampleButton(request: LookupRequest, what: string): Button {
  return { ...lookUpButton(request, 'Example'), accessibility_label: plain(`Example of ${what}`, BUTTON_TEXT).text };
}

/** The button's value is part of the message, so a transaction ID that is a contact can't be in it. */
export function isForEveryone({ target }: LookupRequest): boolean {
  return target.kind === 'event' || !isContact(target.id);
}

export function writeLookup({ environment, target }: LookupRequest): string {
  return writeValue([environment, target.kind, target.id]);
}

export function parseLookup(value: string): LookupRequest | null {
  const [environment, kind, id, ...others] = parseValue(value) ?? [];
  if (environment === undefined || id === undefined || others.length > 0) return null;
  return kind === 'event' || kind === 'transaction' ? { environment, target: { kind, id } } : null;
}
