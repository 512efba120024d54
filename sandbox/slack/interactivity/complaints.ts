import { DEFAULT_MAX_LENGTH } from '../block-kit/element-state.ts';
import { stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Returns what Slack's client complains about in a field before the bot gets the form; empty if the value is valid. */
export function complaintAbout(block: Json, element: Json, value: unknown): string {
  if (isEmpty(value)) return block.optional === true ? '' : 'Please complete this required field.';
  if (Array.isArray(value)) return complaintAboutCount(element, value.length);
  return typeof value === 'string' ? complaintAboutText(element, value) : '';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function complaintAboutCount(element: Json, count: number): string {
  const max = element.max_selected_items ?? element.max_files;
  return typeof max === 'number' && count > max ? `Choose at most ${max}.` : '';
}

function complaintAboutText(element: Json, text: string): string {
  switch (element.type) {
    case 'number_input':
      return complaintAboutNumber(element, text);
    case 'email_text_input':
      return /^\S+@\S+\.\S+$/.test(text) ? '' : 'Enter an email address.';
    case 'url_text_input':
      return URL.canParse(text) ? '' : 'Enter an address.';
    default:
      return complaintAboutLength(element, text);
  }
}

/** Checks a number. The bounds are text, like the value itself. */
function complaintAboutNumber(element: Json, text: string): string {
  const [min, max] = [stringIn(element, 'min_value'), stringIn(element, 'max_value')];
  const value = Number(text);
  if (Number.isNaN(value)) return 'Enter a number.';
  if (element.is_decimal_allowed !== true && !Number.isInteger(value)) return 'Enter a whole number.';
  if (min !== undefined && value < Number(min)) return `Enter ${min} or more.`;
  if (max !== undefined && value > Number(max)) return `Enter ${max} or less.`;
  return '';
}

function complaintAboutLength({ min_length: min, max_length: max }: Json, text: string): string {
  const most = typeof max === 'number' ? max : DEFAULT_MAX_LENGTH;
  if (typeof min === 'number' && text.length < min) return `Use at least ${min} characters.`;
  return text.length > most ? `Use at most ${most} characters.` : '';
}
