import type { Button } from '@slack/types';
import type { Seal } from '../../../domain/access/seal.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_VALUE } from '../limits.ts';

/** Buttons that run a command as if the person who clicks had typed it: the probable meaning of a text, and a lookup of it. */
export const RUN = 'notif.run';
export const RUN_LOOK_UP = 'notif.run-look-up';

/**
 * Builds a button that runs `/notif` with a text. Empty if the text is longer than a button's value can be. The text is sealed, because a
 * person typed it, it may contain an address, and Slack stores it.
 */
export function runButton(label: string, text: string, seal: Seal, actionId: string = RUN): Button[] {
  const value = writeValue([seal.close(text)]);
  return value.length > BUTTON_VALUE ? [] : [button(label, actionId, value)];
}

/** Decrypts the text of a `runButton`. Null for anything else. */
export function parseRun(value: string, seal: Seal): string | null {
  const [sealed, ...others] = parseValue(value) ?? [];
  return sealed === undefined || others.length > 0 ? null : seal.open(sealed);
}
