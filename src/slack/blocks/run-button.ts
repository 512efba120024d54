import type { Button } from '@slack/types';
import { button } from './blocks.ts';
import { readValue, writeValue } from './button-value.ts';
import { BUTTON_VALUE } from './limits.ts';

/** Runs a command as if whoever clicks had typed it. */
export const RUN = 'notif.run';

/** A button that runs `/notif` with a text; none where the text is longer than a button's value. */
export function runButton(label: string, text: string): Button[] {
  const value = writeValue([text]);
  return value.length > BUTTON_VALUE ? [] : [button(label, RUN, value)];
}

/** The text that `runButton` wrote, or null. */
export function readRun(value: string): string | null {
  const [text, ...others] = readValue(value) ?? [];
  return others.length > 0 ? null : (text ?? null);
}
