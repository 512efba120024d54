import { createHash } from 'node:crypto';

/** So many bytes of UTF-8 of an id are kept (docs/guarantees.md, "Ids"): three of them fit into one row of an index (2,704 bytes). */
export const MOST_ID_BYTES = 512;

const SHOWN_CHARACTERS = 48;
/** Two ids that are alike for so many characters are one: hashing takes time. */
const MOST_HASHED = 100_000;
/** What PostgreSQL's text can't hold: it is stored as U+FFFD. */
const UNSTORABLE = /[\0\p{Cs}]/gu;

/**
 * An id as it is kept and compared, equal to itself once it has been stored: as it came, up to 512 bytes, but for what can't be stored. A
 * longer one is shortened to its beginning and a hash of the whole, which tells it apart from others. Given such a result it returns the
 * same.
 */
export function boundedId(id: string): string {
  // A UTF-16 unit takes one byte at least and three at most.
  const storable = id.slice(0, MOST_ID_BYTES + 1).replace(UNSTORABLE, '\uFFFD');
  if (storable.length * 3 <= MOST_ID_BYTES || Buffer.byteLength(storable) <= MOST_ID_BYTES) return storable;
  const beginning = Array.from(storable.slice(0, 2 * SHOWN_CHARACTERS))
    .slice(0, SHOWN_CHARACTERS)
    .join('');
  return `${beginning}…${createHash('sha256').update(id.slice(0, MOST_HASHED)).digest('hex').slice(0, 32)}`;
}

/** As `boundedId`; null stays null. */
export function maybeBoundedId(id: string | null): string | null {
  return id === null ? null : boundedId(id);
}

/** Steps to another path, which addresses resolve even when encoded. */
const STEP = /^\.{0,2}$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether an id can be part of a path: not empty, no step to another path, no half surrogate pair. */
export function canBeInPath(id: string): boolean {
  return !STEP.test(id) && !LONE_SURROGATE.test(id);
}

/** The id to ask the service for an event by; null where it can only be found in a window of the list. */
export function askableId(id: string | null): string | null {
  return id !== null && canBeInPath(id) && boundedId(id) === id ? id : null;
}
