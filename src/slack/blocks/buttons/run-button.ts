import type { Button } from '@slack/types';
import type { Seal } from '../../../domain/access/seal.ts';
import { button } from '../blocks.ts';
import { parseValue, writeValue } from '../button-value.ts';
import { BUTTON_VALUE } from '../limits.ts';

/** Run a command as if the person who clicks had typed it. */
export const RUN = 'notif.run';
export const RUN_LOOK_UP = 'notif.run-look-up';

/**
 * Empty if the text is too long. It's sealed, because a person typed it, it may contain an address, and Slack stores
 * it.
 */
export function runButton(label: string, text: string, seal: Seal, actionId: string = RUN): Button[] {
  const value = writeValue([seal.close(text)]);
  return value.length > BUTTON_VALUE ? [] : [button(label, actionId, value)];
}

export function parseRun(value: string, seal: Seal): string | null {
  const [sealed, ...others] = parseValue(value) ?? [];
  return sealed === undefined || others.length > 0 ? null : seal.open(sealed);
}
