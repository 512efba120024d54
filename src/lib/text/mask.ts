export const MASK = '•••';

export type Masking = (text: string) => string;

export function maskingOf(pattern: RegExp, mask: string | ((all: string, ...groups: string[]) => string)): Masking {
  return (text) => (typeof mask === 'string' ? text.replace(pattern, mask) : text.replace(pattern, mask));
}

/** Masks what a pattern finds, but for its first group. */
export const maskingAfter = (pattern: RegExp): Masking => maskingOf(pattern, (_, before = '') => `${before}${MASK}`);

export const maskedBy = (text: string, maskings: readonly Masking[]): string =>
  maskings.reduce((rest, mask) => mask(rest), text);

/** Only texts that have one of the signs are masked: most have none. */
export const maskingsFor =
  (signs: RegExp, maskings: readonly Masking[]): Masking =>
  (text) =>
    signs.test(text) ? maskedBy(text, maskings) : text;

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at === -1) return MASK;
  const [first = ''] = email.slice(0, at);
  return `${first === '•' ? '' : first}${MASK}${email.slice(at)}`;
}

/** Two of fewer than six digits would reveal too much. */
export function maskPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length < 6 ? MASK : `${MASK}${digits.slice(-2)}`;
}

export function initials(...names: readonly (string | null | undefined)[]): string | null {
  const letters = names.flatMap((name) => name?.slice(0, 1_000).match(/\p{L}\p{M}*/u)?.[0] ?? []);
  return letters.length === 0 ? null : letters.map((letter) => `${letter.toUpperCase()}.`).join(' ');
}

/** Four characters of fewer than 16 would reveal too much. */
export const maskSecret = (secret: string): string => (secret.length < 16 ? MASK : `${MASK}${secret.slice(-4)}`);

/** Shorter values may be part of any word. */
const SHORTEST_MASKED = 4;

/** Longest first, since one value can be a part of another. */
export function maskValues(text: string, values: readonly string[]): string {
  const revealing = values.filter((value) => value.length >= SHORTEST_MASKED).sort((a, b) => b.length - a.length);
  return revealing.reduce((rest, value) => rest.replaceAll(value, MASK), text);
}
