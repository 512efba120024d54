import { DEFAULT_MAX_LENGTH } from '../block-kit/element-state.ts';
import type { Json } from '../page-protocol.ts';

/** Returns what Slack's client complains about in a field before the bot gets the form; empty if the value is valid. */
export function complaintAbout(block: Json, element: Json, value: unknown): string {
  if (isEmpty(value)) return block.optional === true ? '' : 'Please complete this required field.';
  if (Array.isArray(value)) return complaintAboutCount(element, value.length);
  return typeof value === 'string' ? complaintAboutLength(element, value) : '';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function complaintAboutCount(element: Json, count: number): string {
  const max = element.max_selected_items;
  return typeof max === 'number' && count > max ? `Choose at most ${max}.` : '';
}

function complaintAboutLength({ min_length: min, max_length: max }: Json, text: string): string {
  const most = typeof max === 'number' ? max : DEFAULT_MAX_LENGTH;
  if (typeof min === 'number' && text.length < min) return `Use at least ${min} characters.`;
  return text.length > most ? `Use at most ${most} characters.` : '';
}
