import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../errors.ts';
import { MASK } from './mask.ts';
import { jsonIn, scrubValue } from './scrub.ts';

export type JsonObject = { [key: string]: unknown };

export class Payload {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  get isEmpty() {
    return Object.keys(this.#content).length === 0;
  }

  masked() {
    return scrubValue(this.#content) as JsonObject;
  }

  /** Restores fields that were left masked, and refuses changed ones with a mask. */
  edited(typed: Payload) {
    const shown = this.masked();
    if (isDeepStrictEqual(typed.#content, shown)) return this;
    const fields = Object.entries(typed.#content).map(([name, value]) => {
      const isLeft = Object.hasOwn(this.#content, name) && isDeepStrictEqual(value, shown[name]);
      if (!isLeft && JSON.stringify([name, value]).includes(MASK)) throw new InputError('payload', STILL_MASKED);
      return [name, isLeft ? this.#content[name] : value];
    });
    return new Payload(Object.fromEntries(fields));
  }

  forTrigger() {
    return this.#content;
  }

  toJSON() {
    return this.masked();
  }
}

const STILL_MASKED = `A field that was changed still has a masked value (${MASK}). Type it in full, or leave it as it was.`;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ODD_BLANK = /[^\S \t\r\n]|\p{Cf}/gu;

export function parseTypedObject(field: string, text: string, example: string): JsonObject {
  if (text.trim() === '') return {};
  const plain = text.replace(/[“”„‟]/g, '"').replace(ODD_BLANK, ' ');
  const value = jsonIn(text) ?? jsonIn(plain);
  if (value === undefined) {
    throw new InputError(field, "This isn't JSON: a bracket, quote or comma is missing, or one too many.", example);
  }
  if (!isObject(value)) throw new InputError(field, `The ${field} must be a JSON object.`, example);
  JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'number' && Math.abs(inner) > Number.MAX_SAFE_INTEGER)
      throw new InputError(field, 'A number is too long to be sent exactly. Put it in quotes.', example);
    return inner;
  });
  return value;
}
