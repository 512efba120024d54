/** What stands for something taken out. Scrubbing it again changes nothing. */
export const MASK = '•••';

/** 'anna@example.com' -> 'a•••@example.com'. A text without an `@` is masked whole. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return MASK;
  const [first = ''] = email.slice(0, at);
  return `${first === '•' ? '' : first}${MASK}${email.slice(at)}`;
}

/** '+491701234567' -> '•••67'. A number of fewer than six digits is masked whole: two of them would tell too much. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 6 ? MASK : `${MASK}${digits.slice(-2)}`;
}

/** 'Ada', 'Lovelace' -> 'A. L.'; null where neither name has a letter. */
export function initials(firstName: string | null | undefined, lastName: string | null | undefined): string | null {
  const first = initial(firstName);
  const last = initial(lastName);
  return first === null || last === null ? (first ?? last) : `${first} ${last}`;
}

/** A name's first letter stands at its beginning. */
const LONGEST_NAME = 1_000;

function initial(name: string | null | undefined): string | null {
  const letter = name?.slice(0, LONGEST_NAME).match(/\p{L}\p{M}*/u)?.[0];
  return letter === undefined ? null : `${letter.toUpperCase()}.`;
}

/** Secrets shorter than this would be given away by their last four characters. */
const SHORTEST_TOLD = 16;

/** A secret by its end: '•••9f3c'; a short one is masked whole. */
export function maskSecret(secret: string): string {
  return secret.length < SHORTEST_TOLD ? MASK : `${MASK}${secret.slice(-4)}`;
}
