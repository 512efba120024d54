import type { Button } from '@slack/types';
import type { NotificationId } from '../../../domain/input/ids.ts';
import { isContact } from '../../../domain/text/shown-id.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_TEXT } from '../limits.ts';
import { plain } from '../text.ts';

/** [Look up]: answers with the event's card, to the person who clicked. */
export const LOOK_UP = 'event.look-up';

/** [Send again] on an event's card: opens the form for one more trigger. Its value is `writeLookup`'s, as all of that card's. */
export const SEND_AGAIN = 'event.send-again';

/** What a button is about: an event or transaction of an environment, by the environment's name. */
export interface LookupRequest {
  readonly environment: string;
  readonly target: NotificationId;
}

export function lookUpButton(request: LookupRequest, label = 'Look up'): Button {
  return button(label, LOOK_UP, writeLookup(request));
}

/** The same beside others, which a screen reader tells apart by what each is about: 'Look up Email · SendGrid — order-shipped'. */
export function lookUpButtonFor(request: LookupRequest, what: string): Button {
  return { ...lookUpButton(request), accessibility_label: plain(`Look up ${what}`, BUTTON_TEXT).text };
}

/** Whether everyone may get a button for a request: its value is part of the message, so a transaction's id that is a contact can't be in it. */
export function isForEveryone({ target }: LookupRequest): boolean {
  return target.kind === 'event' || !isContact(target.id);
}

export function writeLookup({ environment, target }: LookupRequest): string {
  return writeValue([environment, target.kind, target.id]);
}

/** What `writeLookup` wrote, or null. */
export function parseLookup(value: string): LookupRequest | null {
  const [environment, kind, id, ...others] = parseValue(value) ?? [];
  if (environment === undefined || id === undefined || others.length > 0) return null;
  return kind === 'event' || kind === 'transaction' ? { environment, target: { kind, id } } : null;
}
