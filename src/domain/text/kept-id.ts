import { createHmac, hkdfSync } from 'node:crypto';
import { boundedId } from './bounded-id.ts';
import { isContact, maskedId } from './shown-id.ts';

/**
 * Returns an ID as stored. One that is a contact is masked and gets a keyed hash of the whole, which distinguishes two people with the same
 * mask and allows searching by the whole ID: 'anna@example.com' -> 'a•••@example.com #fbhkmgacpela'. Any other is stored unchanged.
 */
export type KeepId = (id: string) => string;

const HASH_HEX_DIGITS = 12;
/** Only letters, because digits might be masked as a number. */
const LETTERS = 'ghijklmnop';

/** Derives the key from `secret`, which all replicas share. With another secret, IDs stored before can't be searched for. */
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
