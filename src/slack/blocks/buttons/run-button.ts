import type { Button } from '@slack/types';
import type { Seal } from '../../../domain/access/seal.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_VALUE } from '../limits.ts';

/** They run a command as if anyone who clicks had typed it: what was probably meant, and a look-up of what was typed. */
export const RUN = 'notif.run';
export const RUN_LOOK_UP = 'notif.run-look-up';

/**
 * A button that runs `/notif` with a text; none where the text is longer than a button's value. Somebody typed it, and it can hold an
 * address: it's sealed, for Slack keeps it.
 */
export function runButton(label: string, text: string, seal: Seal, actionId: string = RUN): Button[] {
  const value = writeValue([seal.close(text)]);
  return value.length > BUTTON_VALUE ? [] : [button(label, actionId, value)];
}

/** The text that `runButton` wrote, or null. */
export function parseRun(value: string, seal: Seal): string | null {
  const [sealed, ...others] = parseValue(value) ?? [];
  return sealed === undefined || others.length > 0 ? null : seal.open(sealed);
}
