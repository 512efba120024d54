import { DEFAULT_MAX_LENGTH } from '../block-kit/element-state.ts';
import type { Json } from '../page-protocol.ts';

/** Returns what Slack's client complains about in a field before the bot gets the form; empty if the value is valid. */
export function complaintAbout(
  block: Json,
  { max_length: max, max_selected_items: maxItems }: Json,
  value: unknown,
): string {
  const isEmpty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return block.optional === true ? '' : 'Please complete this required field.';
  if (Array.isArray(value) && typeof maxItems === 'number' && value.length > maxItems)
    return `Choose at most ${maxItems}.`;
  const most = typeof max === 'number' ? max : DEFAULT_MAX_LENGTH;
  return typeof value === 'string' && value.length > most ? `Use at most ${most} characters.` : '';
}
