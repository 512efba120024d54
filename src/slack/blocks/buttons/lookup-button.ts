import type { Button } from '@slack/types';
import type { NotificationId } from '../../../domain/input/ids.ts';
import { isContact } from '../../../domain/text/shown-id.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_TEXT } from '../limits.ts';
import { plain } from '../text.ts';

/** [Look up]: shows the event's card to the person who clicked. */
export const LOOK_UP = 'event.look-up';

/** [Send again] on an event's card: opens the form for another trigger. Its value is made by `writeLookup`, like all of that card's. */
export const SEND_AGAIN = 'event.send-again';

export interface LookupRequest {
  readonly environment: string;
  readonly target: NotificationId;
}

export function lookUpButton(request: LookupRequest, label = 'Look up'): Button {
  return button(label, LOOK_UP, writeLookup(request));
}

/** Builds [Look up] for lists, with a label by which screen readers distinguish it: 'Look up Email · SendGrid — order-shipped'. */
export function lookUpButtonFor(request: LookupRequest, what: string): Button {
  return { ...lookUpButton(request), accessibility_label: plain(`Look up ${what}`, BUTTON_TEXT).text };
}

/**
 * Returns whether a message for everyone can contain a button for a request: its value is part of the message, so a transaction ID that is
 * a contact can't be in it.
 */
export function isForEveryone({ target }: LookupRequest): boolean {
  return target.kind === 'event' || !isContact(target.id);
}

export function writeLookup({ environment, target }: LookupRequest): string {
  return writeValue([environment, target.kind, target.id]);
}

/** Parses a value of `writeLookup`. Null for anything else. */
export function parseLookup(value: string): LookupRequest | null {
  const [environment, kind, id, ...others] = parseValue(value) ?? [];
  if (environment === undefined || id === undefined || others.length > 0) return null;
  return kind === 'event' || kind === 'transaction' ? { environment, target: { kind, id } } : null;
}
