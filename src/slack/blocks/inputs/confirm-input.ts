import type { InputBlock } from '@slack/types';
import type { Environment } from '../../../domain/environment.ts';
import { OPTION_TEXT } from '../limits.ts';
import { plain } from '../text.ts';

const CONFIRM = 'form.confirm';

/** Builds a checkbox for a protected environment that must be ticked before Slack submits the form. Empty for others. */
export function confirmInput({ name, label, isProtected }: Environment): InputBlock[] {
  if (!isProtected) return [];
  const text = plain(`Yes, in ${label}, which is protected`, OPTION_TEXT);
  return [
    {
      type: 'input',
      block_id: `${CONFIRM}:${name}`,
      label: plain('Confirm', OPTION_TEXT),
      element: { type: 'checkboxes', action_id: CONFIRM, options: [{ text, value: 'yes' }] },
    },
  ];
}
