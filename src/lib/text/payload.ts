import { InputError } from '../errors.ts';
import { canonicalJson, exactValue, jsonText, membersOf, RawJson } from './json-text.ts';
import { MASK } from './mask.ts';
import { jsonIn, scrubValue } from './scrub.ts';
import { MAX_DEPTH } from './scrub-value.ts';

export type JsonObject = { [key: string]: unknown };

type Members = ReadonlyMap<string, RawJson>;

/** No form shows more. */
const LONGEST_EXACT = 100_000;
const STILL_MASKED = `A field that was changed still has a masked value (${MASK}). Type it in full, or leave it as it was.`;
const ODD_BLANK = /[^\S \t\r\n]|\p{Cf}/gu;

/** A JSON object from outside, which is sent on as its text has it. */
export class Payload {
  readonly #text: string;

  constructor(content: object | string) {
    this.#text = typeof content === 'string' ? content.trim() : jsonText(content);
  }

  /** Takes JSON or what was parsed of it. Returns null for what is no object. */
  static from(given: unknown): Payload | null {
    const content = typeof given === 'string' ? jsonIn(given) : given;
    if (!isObject(content)) return null;
    return new Payload(typeof given === 'string' ? given : content);
  }

  /** JavaScript may have changed its numbers. */
  get content(): JsonObject {
    return JSON.parse(this.#text);
  }

  get isEmpty(): boolean {
    return this.members().size === 0;
  }

  members(): Members {
    return new Map(membersOf(this.#text).map(([name, text]) => [name, new RawJson(text)]));
  }

  /** Returns null for one that is missing or empty. */
  objectAt(name: string): Payload | null {
    const inner = Payload.from(this.members().get(name)?.text);
    return inner?.isEmpty === false ? inner : null;
  }

  with(others: Payload): Payload {
    return others.isEmpty ? this : payloadOf([...this.members(), ...others.members()]);
  }

  without(name: string): Payload {
    return payloadOf([...this.members()].filter(([other]) => other !== name));
  }

  /** It is the same for payloads that say the same, digit for digit. */
  canonical(): string {
    return canonicalJson(this.#text);
  }

  equals(other: Payload | null): boolean {
    return this.canonical() === other?.canonical();
  }

  masked(indent = ''): string {
    const isLong = this.#text.length > LONGEST_EXACT;
    return jsonText(scrubValue(isLong ? this.content : exactValue(this.#text, MAX_DEPTH + 1)), indent);
  }

  /** Restores fields that were left masked, and refuses changed ones with a mask. */
  edited(typed: Payload): Payload {
    const shown = new Payload(this.masked());
    if (typed.equals(shown)) return this;
    const [originals, shownMembers] = [this.members(), shown.members()];
    const members = [...typed.members()].map(([name, value]) => {
      const written = canonicalJson(value.text);
      const original = originals.get(name);
      const isLeft = written === canonicalJson(shownMembers.get(name)?.text ?? '');
      if (isLeft && original !== undefined) return [name, original] as const;
      if (`${name}${written}`.includes(MASK)) throw new InputError('payload', STILL_MASKED);
      return [name, value] as const;
    });
    return payloadOf(members);
  }

  /** A half surrogate pair can't be encoded but by its escape. */
  forTrigger(): RawJson {
    return new RawJson(this.#text.replace(/\p{Cs}/gu, (half) => JSON.stringify(half).slice(1, -1)));
  }

  toJSON(): unknown {
    return jsonIn(this.masked());
  }
}

/** Of members with the same name, the last counts. */
function payloadOf(members: readonly (readonly [string, RawJson])[]): Payload {
  const written = [...new Map(members)].map(([name, { text }]) => `${JSON.stringify(name)}:${text}`);
  return new Payload(`{${written.join(',')}}`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseTypedObject(field: string, text: string, example: string): Payload {
  if (text.trim() === '') return new Payload({});
  const plain = text.replace(/[“”„‟]/g, '"').replace(ODD_BLANK, ' ');
  const typed = [text, plain].find((json) => jsonIn(json) !== undefined);
  if (typed === undefined) {
    throw new InputError(field, "This isn't JSON: a bracket, quote or comma is missing, or one too many.", example);
  }
  const payload = Payload.from(typed);
  if (payload === null) throw new InputError(field, `The ${field} must be a JSON object.`, example);
  return payload;
}
