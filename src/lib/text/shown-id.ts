import { createHash } from 'node:crypto';
import { maskEmail, maskedPhones } from './mask.ts';

const LOOKED_AT = 4_000;

/** Returns whether an ID has an email address or a phone number: one with a plus, leading zeros or separators, as many IDs are numbers. */
export function isContact(id: string): boolean {
  const plain = plainly(id.slice(0, LOOKED_AT));
  return masked(plain) !== plain;
}

/** Returns an ID without the contacts in it, 'a•••@example.com' for 'anna@example.com', or any other ID unchanged, up to 4,000 characters. Masking it again changes nothing. */
export function maskedId(id: string): string {
  if (id.length > LOOKED_AT) return `${maskedId(id.slice(0, LOOKED_AT - 1))}…`;
  const plain = plainly(id);
  const hidden = masked(plain);
  return hidden === plain ? id : hidden;
}

/** Normalizes other spellings of an address that the service may accept: full width, percent-encoded, invisible characters or spaces. */
function plainly(id: string): string {
  const compatible = id.normalize('NFKC').replace(/[\p{Cc}\p{Cf}]/gu, '');
  return compatible
    .replace(/%40/gi, '@')
    .replace(/%2B/gi, '+')
    .replace(/\s{0,9}@\s{0,9}/gu, '@');
}

/**
 * Free text delimits an address by characters that may be part of an ID, so more counts as its local part here; a quote before it, as in a
 * watch's settings, doesn't.
 */
const LOCAL_PART =
  /(?<![^\s@:;,<>()|/\\])("?)([^\s@:;,<>()|/\\]+@)(?=\[|(?:[\p{L}\p{N}\p{M}_-]{1,63}\.){1,8}[\p{L}\p{M}]{2})/gu;
/** After a plus, only a phone number has this many digits, whatever precedes it. */
const INTERNATIONAL = /\+[ ()./-]{0,2}[1-9](?:[ ()./-]{0,3}\d){6,14}(?!\d)/g;

/** No notation of a phone number has fewer digits. A quick test, as it runs for each failure's ID: most have neither these nor an `@`. */
const SIX_DIGITS = /\d(?:\D*\d){5}/;

function masked(plain: string): string {
  const addressed = plain.includes('@')
    ? plain.replace(LOCAL_PART, (_, quote: string, local: string) => `${quote}${maskEmail(local)}`)
    : plain;
  return SIX_DIGITS.test(addressed) ? maskedPhones(addressed, [INTERNATIONAL]) : addressed;
}

/** The maximum stored length of an ID in bytes of UTF-8: three of them fit into one index row (2,704 bytes). */
export const MOST_ID_BYTES = 512;

const SHOWN_CHARACTERS = 48;
/** Two IDs that agree in this many characters count as the same, since hashing takes time. */
const MOST_HASHED = 100_000;
/** Characters that PostgreSQL's text can't hold; they are stored as U+FFFD. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/** Unchanged up to 512 bytes, except characters that can't be stored. A longer one becomes its beginning and a hash of the whole. */
export function boundedId(id: string): string {
  // A UTF-16 unit takes at least one byte.
  const storable = id.slice(0, MOST_ID_BYTES + 1).replace(UNSTORABLE, '\uFFFD');
  if (Buffer.byteLength(storable) <= MOST_ID_BYTES) return storable;
  const beginning = Array.from(storable).slice(0, SHOWN_CHARACTERS).join('');
  return `${beginning}…${createHash('sha256').update(id.slice(0, MOST_HASHED)).digest('hex').slice(0, 32)}`;
}

export function maybeBoundedId(id: string | null): string | null {
  return id === null ? null : boundedId(id);
}

const STEP = /^\.{0,2}$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns whether an ID can be part of a path: not empty, no dot segment, no half of a surrogate pair. */
export function canBeInPath(id: string): boolean {
  return !STEP.test(id) && !LONE_SURROGATE.test(id);
}

/** Returns the ID for requesting an event from the service; null if it can only be found in a window of the list. */
export function askableId(id: string | null): string | null {
  return id !== null && canBeInPath(id) && boundedId(id) === id ? id : null;
}
