import { createHmac, hkdfSync } from 'node:crypto';
import { boundedId } from './bounded-id.ts';
import { scrub } from './scrub.ts';
import { isContact, maskedId } from './shown-id.ts';

/** Returns what is stored of IDs and labels, which callers of the service choose, so that they may be contacts or have secrets. */
export interface KeepId {
  /**
   * Returns an ID as stored. One that is a contact is masked and gets a keyed hash of the whole, which distinguishes two people with the same
   * mask and allows searching by the whole ID: 'anna@example.com' -> 'a•••@example.com #fbhkmgacpela'. Any other is stored unchanged.
   */
  (id: string): string;
  /**
   * Returns a context or tag as stored: scrubbed, with the same hash if that changed it: 'token:k-17' -> 'token:••• #fbhkmgacpela'. `hashed`: how
   * it is compared. Returns such a result unchanged.
   */
  readonly label: (label: string, hashed?: string) => string;
}

const HASH_HEX_DIGITS = 12;
/** Only letters, because digits might be masked as a number. */
const LETTERS = 'ghijklmnop';
/** Characters of a changed label that are kept: with the hash, it fits into the bound of an ID. */
const MOST_SHOWN = 100;
const CHANGED_LABEL = / #[a-p]{12}$/;
/** Every changed label shows that something is missing. */
const SAYS_SO = /[•…]/;

/** Derives the key from `secret`, which all replicas share. With another secret, IDs stored before can't be searched for. */
export function createKeepId(secret: string): KeepId {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'notif kept ids', 32));
  const hashOf = (id: string): string =>
    createHmac('sha256', key)
      .update(id)
      .digest('hex')
      .slice(0, HASH_HEX_DIGITS)
      .replace(/\d/g, (digit) => LETTERS.charAt(Number(digit)));
  const keepId = (id: string) => (isContact(id) ? `${boundedId(maskedId(id))} #${hashOf(id)}` : id);
  const label = (label: string, hashed = label) => {
    const scrubbed = scrub(label);
    return scrubbed === label || isKept(label) ? label : `${shortened(scrubbed)} #${hashOf(hashed)}`;
  };
  return Object.assign(keepId, { label });
}

/** Returns whether a stored label is another than the event's own. */
export function isChangedLabel(kept: string): boolean {
  return CHANGED_LABEL.test(kept);
}

/** Returns whether a label was kept before: nothing in it is left to hide, except what looks like a secret with its hash behind it. */
function isKept(label: string): boolean {
  const shown = label.replace(CHANGED_LABEL, '');
  return SAYS_SO.test(shown) && scrub(shown) === shown;
}

/** Scrubs the rest again, because a mask that was cut looks like a secret. */
function shortened(scrubbed: string): string {
  if (scrubbed.length <= MOST_SHOWN && SAYS_SO.test(scrubbed)) return scrubbed;
  return scrub(`${scrubbed.slice(0, MOST_SHOWN - 1)}…`);
}
