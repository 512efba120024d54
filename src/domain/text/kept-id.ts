import { createHmac, hkdfSync } from 'node:crypto';
import { boundedId } from './bounded-id.ts';
import { isContact, maskedId } from './shown-id.ts';

/**
 * An id as it's stored. One that is a contact is kept masked with a keyed hash of the whole, so that two people with the same mask are
 * told apart and one can be asked for by their whole id: 'anna@example.com' -> 'a•••@example.com #fbhkmgacpela'. Any other is kept as it came.
 */
export type KeepId = (id: string) => string;

const HASH_HEX_DIGITS = 12;
/** Letters only, because digits might be masked as a number. */
const LETTERS = 'ghijklmnop';

/** `secret` is one that all replicas have; the key is derived from it. With another secret what was kept before can't be asked for. */
export function createKeepId(secret: string): KeepId {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'notif kept ids', 32));
  const hashOf = (id: string): string =>
    createHmac('sha256', key)
      .update(id)
      .digest('hex')
      .slice(0, HASH_HEX_DIGITS)
      .replace(/\d/g, (digit) => LETTERS.charAt(Number(digit)));
  return (id) => (isContact(id) ? `${boundedId(maskedId(id))} #${hashOf(id)}` : id);
}
