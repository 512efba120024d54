import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../errors.ts';
import { MASK } from './mask.ts';
import { jsonIn, scrub, scrubValue } from './scrub.ts';

export type JsonObject = { [key: string]: unknown };

export class Payload {
  readonly #content: JsonObject;

  constructor(content: JsonObject) {
    this.#content = content;
  }

  get isEmpty(): boolean {
    return Object.keys(this.#content).length === 0;
  }

  get fields(): readonly string[] {
    return Object.keys(this.#content).filter((name) => scrub(name) === name);
  }

  masked(): JsonObject {
    return scrubValue(this.#content) as JsonObject;
  }

  edited(typed: Payload): Payload {
    const { object, left } = unmasked(typed.#content, this.#content, this.masked());
    if (left > 0) throw movedMask();
    return new Payload(object);
  }

  refuseMovedMasks(shown: Payload): void {
    if (unmasked(this.#content, shown.#content, shown.#content).left > 0) throw movedMask();
  }

  forTrigger(): JsonObject {
    return this.#content;
  }

  toJSON(): JsonObject {
    return this.masked();
  }
}

function movedMask(): InputError {
  return new InputError('payload', 'A masked value (•••) was moved. Type it in full, or leave it where it was.');
}

function unmasked(typed: JsonObject, original: JsonObject, masked: JsonObject) {
  let left = 0;
  const restore = (value: unknown, whole: unknown, shown: unknown): unknown => {
    if (isDeepStrictEqual(value, shown)) return whole;
    if (Array.isArray(value)) {
      return value.map((item, index) => restore(item, itemAt(whole, index), itemAt(shown, index)));
    }
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          const [own, its] = [itemAt(whole, key), itemAt(shown, key)];
          if (own === NOTHING && (its !== NOTHING || key.includes(MASK))) left += 1;
          return [key, restore(item, own, its)];
        }),
      );
    }
    if (typeof value === 'string' && value.includes(MASK)) left += 1;
    return value;
  };
  const object = restore(typed, original, masked);
  return { object: isObject(object) ? object : {}, left };
}

const NOTHING = Symbol('nothing');

function itemAt(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return NOTHING;
  return Reflect.get(value, key);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONG_INTEGER = /(?<![\w.])-?\d{16,}(?![\w.])/;

const ODD_BLANK = /[^\S \t\r\n]|\p{Cf}/gu;

export function parseTypedObject(field: string, text: string, example: string): JsonObject {
  if (text.trim() === '') return {};
  const plain = text.replace(/[“”„‟]/g, '"').replace(ODD_BLANK, ' ');
  const value = jsonIn(text) ?? jsonIn(plain);
  if (value === undefined) {
    throw new InputError(field, "This isn't JSON: a bracket, quote or comma is missing, or one too many.", example);
  }
  if (!isObject(value)) throw new InputError(field, `The ${field} must be a JSON object.`, example);
  if (LONG_INTEGER.test(plain.replace(/"(?:[^"\\]|\\.)*"/g, '""'))) {
    throw new InputError(field, 'A number is too long to be sent exactly. Put it in quotes.', example);
  }
  return value;
}
