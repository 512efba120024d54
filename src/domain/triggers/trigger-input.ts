import { InputError } from '../errors.ts';
import { bare, visible } from '../fold.ts';
import { type JsonObject, Payload } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';
import { findLoss, type Loss, whereNotJson } from './json-mistake.ts';

const LONGEST_ID = 255;
const LONGEST_OBJECT = 100_000;

const PAYLOAD_EXAMPLE = '{"orderId": "A-17"}';
const OVERRIDES_EXAMPLE = '{"sendgrid": {"templateId": "d-17"}}';
const CONTEXT_EXAMPLE = 'region:eu';

/** Parses a typed payload: a JSON object, empty if nothing was typed; see `parseTyped`. Throws `InputError`. */
export function parsePayload(text: string): Payload {
  return new Payload(text.trim() === '' ? {} : readObject(text, ['payload', 'The payload', PAYLOAD_EXAMPLE]));
}

/** Parses overrides by provider ID, typed like a payload; null for none. Throws `InputError`. */
export function parseOverrides(text: string): Payload | null {
  return text.trim() === '' ? null : new Payload(readObject(text, ['overrides', 'The overrides', OVERRIDES_EXAMPLE]));
}

/** Parses a transaction ID, which only a single event can have: the service sends nothing for a repeated one. Throws `InputError`. */
export function parseTransactionId(text: string, events: number): string | null {
  const id = parseReference('transaction', text);
  if (id !== null && events > 1) {
    throw new InputError('transaction', 'Your own transaction ID is for a single subscriber only.');
  }
  return id;
}

/** Parses an external ID, such as an actor's or a tenant's; null for none. Throws `InputError`. */
export function parseReference(field: string, text: string): string | null {
  const id = bare(text);
  if (id === '') return null;
  if (id.length <= LONGEST_ID && !/\s/.test(id)) return id;
  throw new InputError(field, `At most ${LONGEST_ID} characters, without spaces.`, 'test-2026-11-20-1');
}

/** Parses the service's context: one `name:value` per line; null for none. Throws `InputError`. */
export function parseContext(text: string): Readonly<Record<string, string>> | null {
  const lines = visible(text)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '');
  const pairs = lines.map((line, index) => {
    const [, name = '', value = ''] = /^\s*([^\s:]+)\s*:\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (name === '') throw new InputError('context', `Line ${index + 1} isn't a name with its value.`, CONTEXT_EXAMPLE);
    return [name, value] as const;
  });
  const context = Object.fromEntries(pairs);
  if (Object.keys(context).length < pairs.length) throw new InputError('context', 'A name appears twice.');
  return pairs.length === 0 ? null : context;
}

function readObject(text: string, [field, called, example]: readonly [string, string, string]): JsonObject {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_OBJECT) {
    throw new InputError(field, `${called} can have at most ${LONGEST_OBJECT} characters.`, example);
  }
  const read = parseTyped(text);
  if (read.is !== 'json') {
    throw new InputError(field, MISTAKES[read.is](placeIn(text, read.at)), example);
  }
  if (!isObject(read.value)) throw new InputError(field, `${called} must be a JSON object.`, example);
  return read.value;
}

/** Each mistake in a sentence, with its place. */
const MISTAKES: Readonly<Record<JsonMistake, (place: string) => string>> = {
  wrong: (place) => `This isn't JSON: check ${place}.`,
  rounded: (place) => `The number at ${place} would be rounded or lost. Put it in quotes to send it as a text.`,
  repeated: (place) => `The name at ${place} appears twice; the first value would be lost.`,
};

/** It isn't JSON, or something in it would be lost. */
export type JsonMistake = 'wrong' | Loss['is'];

/** Typed JSON. `at`: where its mistake is, counted from 0. */
export type TypedJson =
  | { readonly is: 'json'; readonly value: unknown }
  | { readonly is: JsonMistake; readonly at: number };

/**
 * Parses typed JSON. If it's invalid otherwise, converts what phones and web pages insert: smart quotes, and blanks and invisible characters
 * that JSON doesn't know; not those in its texts.
 */
export function parseTyped(text: string): TypedJson {
  const straight = text.replace(/[“”„‟]/g, '"');
  const spaced = withPlainBlanks(straight);
  const json = [text, withPlainBlanks(text), straight, spaced].find((one) => whereNotJson(one) === null);
  if (json === undefined) return { is: 'wrong', at: whereNotJson(spaced) ?? 0 };
  return findLoss(json) ?? { is: 'json', value: JSON.parse(json) };
}

/** A text of JSON, which may have no end, or a character outside of one that looks like nothing and isn't one of JSON's blanks. */
const TEXT_OR_ODD_BLANK = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|[^\S \t\r\n]|\p{Cf}/gu;

/** Replaces odd blanks outside of texts by as many spaces, so that places stay the same. */
function withPlainBlanks(json: string): string {
  return json.replace(TEXT_OR_ODD_BLANK, (odd: string, text?: string) => text ?? ' '.repeat(odd.length));
}

function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

/** Returns the template with which a modal starts: the workflow's variables as keys. '' if it's longer than a field holds. */
export function payloadTemplate(variables: readonly string[], longest: number): string {
  const template = JSON.stringify(Object.fromEntries(variables.map((name) => [name, ''])), null, 2);
  return template.length <= longest ? template : '';
}
