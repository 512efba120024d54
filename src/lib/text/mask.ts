/** Replaces what was removed. Scrubbing it again changes nothing. */
export const MASK = '•••';

/** Masks 'anna@example.com' as 'a•••@example.com'. A text without an `@` is masked completely. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return MASK;
  const [first = ''] = email.slice(0, at);
  return `${first === '•' ? '' : first}${MASK}${email.slice(at)}`;
}

/** Masks '+491701234567' as '•••67'. A number of fewer than six digits is masked completely, since two of them would reveal too much. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 6 ? MASK : `${MASK}${digits.slice(-2)}`;
}

/** Returns the initials of 'Ada', 'Lovelace' as 'A. L.'; null if neither name has a letter. */
export function initials(firstName: string | null | undefined, lastName: string | null | undefined): string | null {
  const first = initial(firstName);
  const last = initial(lastName);
  return first === null || last === null ? (first ?? last) : `${first} ${last}`;
}

/** Characters of a name that are searched for its first letter. */
const LONGEST_NAME = 1_000;

function initial(name: string | null | undefined): string | null {
  const letter = name?.slice(0, LONGEST_NAME).match(/\p{L}\p{M}*/u)?.[0];
  return letter === undefined ? null : `${letter.toUpperCase()}.`;
}

/** The last four characters of a shorter secret would reveal too much. */
const SHORTEST_HINTED = 16;

/** Returns a secret's last characters: '•••9f3c'; a short one is masked completely. */
export function maskSecret(secret: string): string {
  return secret.length < SHORTEST_HINTED ? MASK : `${MASK}${secret.slice(-4)}`;
}
