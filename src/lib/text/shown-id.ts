import { withPlainAt } from './addresses.ts';
import { hashOf } from './hash.ts';
import { maskEmail } from './mask.ts';
import { withoutPhonesInId } from './phones.ts';
import { scrub, scrubEcho, scrubTyped } from './scrub.ts';
import { withPlainDigits } from './visible.ts';

declare const KEPT: unique symbol;

/** Masked or scrubbed text, or an ID stored as it is (SECURITY.md). */
export type Storable = string & { readonly [KEPT]: true };
/** Each text has to be `Storable`, but in columns `AnyText`, which hold Notif's or Slack's own. */
export type StorableRow<Value, AnyText extends PropertyKey = never> = Value extends string
  ? // Any text can be in a `string`, and in a template such as `renamed ${string}`. A literal is Notif's own.
    Record<never, never> extends Record<Value, 1>
    ? Storable
    : Value
  : Value extends Date | number | boolean | null | undefined
    ? Value
    : { [Name in keyof Value]: Name extends AnyText ? Value[Name] : StorableRow<Value[Name], AnyText> };
/** Nobody outside writes these fields of JSON. */
type OwnField = 'id' | 'watchId' | 'environment' | 'environments' | 'actor' | 'to' | 'until' | 'mention';
export type StorableJson<Value> = StorableRow<Value, OwnField>;
export type Stored = { readonly [KEPT]: true };

/** Marks JSON of which each text is `Storable`. */
export const stored = <const Value>(value: Value & StorableJson<Value>): Stored => value as unknown as Stored;

/** A row as it's read: its `Storable` texts are any texts. */
export type Plain<Row> = {
  [Name in keyof Row]: Row[Name] extends Storable | null ? string | Extract<Row[Name], null> : Row[Name];
};

/** In characters: the rest of a longer ID is left out. */
const MOST_MASKED = 4_000;

export const isContact = (id: string): boolean => maskedId(id) !== id;

/** Masks the contacts in an ID, in whatever spelling; any other ID stays as it is. */
export function maskedId(id: string): Storable {
  if (id.length > MOST_MASKED) return `${maskedId(id.slice(0, MOST_MASKED - 1))}…` as Storable;
  const plain = decoded(id);
  const hidden = masked(plain);
  return (hidden === plain ? id : hidden) as Storable;
}

export const storableText = (text: string): Storable => scrub(text) as Storable;
/** What a provider or the service said. */
export const storableEcho = (text: string): Storable => scrubEcho(text) as Storable;
export const storableTyped = (text: string): Storable => scrubTyped(text) as Storable;

function decoded(id: string) {
  const compatible = withPlainDigits(id.normalize('NFKC')).replace(/[\p{Cc}\p{Cf}]/gu, '');
  const plain = compatible.replace(/%(?:25)?40/gi, '@').replace(/%2B/gi, '+');
  return withPlainAt(plain).replace(/\s{0,9}@\s{0,9}/gu, '@');
}

/** In free text, unlike here, characters that IDs can have delimit addresses. */
const LOCAL_PART =
  /(?<![^\s@:;,<>()|/\\])("?)([^\s@:;,<>()|/\\]+@)(?=\[|(?:[\p{L}\p{N}\p{M}_-]{1,63}\.){1,8}[\p{L}\p{M}]{2})/gu;

function masked(plain: string) {
  const addressed = plain.includes('@')
    ? plain.replace(LOCAL_PART, (_, quote: string, local: string) => `${quote}${maskEmail(local)}`)
    : plain;
  return withoutPhonesInId(addressed);
}

/** Three IDs fit into one index row (2,704 bytes). */
export const MOST_ID_BYTES = 512;

const SHOWN_CHARACTERS = 48;
const MOST_HASHED = 100_000;
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** A longer ID becomes its beginning and a hash, which still tells it from others. */
export function boundedId(id: string): Storable {
  const storable = id.slice(0, MOST_ID_BYTES + 1).replace(UNSTORABLE, '\uFFFD');
  if (Buffer.byteLength(storable) <= MOST_ID_BYTES) return storable as Storable;
  const beginning = Array.from(storable).slice(0, SHOWN_CHARACTERS).join('');
  return `${beginning}…${hashOf(id.slice(0, MOST_HASHED), 32)}` as Storable;
}

export const maybeBoundedId = (id: string | null): Storable | null => (id === null ? null : boundedId(id));
export const canBeInPath = (id: string): boolean => !/^\.{0,2}$|\p{Surrogate}/u.test(id);

/** Returns null for an ID that the service can't be asked for: none, one that was shortened, or one that a path can't have. */
export function askableId(id: string | null): string | null {
  return id !== null && canBeInPath(id) && boundedId(id) === id ? id : null;
}
