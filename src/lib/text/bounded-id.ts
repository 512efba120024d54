import { createHash } from 'node:crypto';

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

/** Path segments that URLs resolve to another path even when encoded. */
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
