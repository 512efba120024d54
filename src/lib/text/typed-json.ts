import { InputError } from '../errors.ts';
import type { JsonObject } from './payload.ts';
import { isObject } from './same-json.ts';

const TEXT = /"(?:[^"\\]|\\.)*"/g;

/** An integer of sixteen digits or more: most of these aren't numbers of JavaScript's. */
const LONG_INTEGER = /(?<![\w.])-?\d{16,}(?![\w.])/;

/** What web pages and phones insert: blanks that JSON doesn't know, and characters that nobody sees. */
const ODD_BLANK = /[^\S \t\r\n]|\p{Cf}/gu;

/** Typographic quotes and odd blanks count as plain ones if it isn't JSON otherwise. Throws `InputError`, which quotes nothing of it. */
export function parseTypedObject(field: string, text: string, example: string): JsonObject {
  if (text.trim() === '') return {};
  const plain = text.replace(/[“”„‟]/g, '"').replace(ODD_BLANK, ' ');
  const value = parsed(text) ?? parsed(plain);
  if (value === undefined) {
    throw new InputError(field, "This isn't JSON: a bracket, quote or comma is missing, or one too many.", example);
  }
  if (!isObject(value)) throw new InputError(field, `The ${field} must be a JSON object.`, example);
  if (LONG_INTEGER.test(plain.replace(TEXT, '""'))) {
    throw new InputError(field, 'A number is too long to be sent exactly. Put it in quotes.', example);
  }
  return value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
