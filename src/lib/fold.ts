const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛′]/g, "'"],
  [/[‐‑‒–—−]/g, '-'],
  [/[∶：]/g, ':'],
  [/∗/g, '*'],
  [/∼/g, '~'],
  [/ˍ/g, '_'],
  [/ˋ/g, '`'],
];

export function straightened(text: string): string {
  return LOOKALIKES.reduce((straight, [lookalikes, plain]) => straight.replace(lookalikes, plain), visible(text));
}

export const visible = (text: string): string => text.replace(/\p{Cf}/gu, '');

/** Strips quotes. An apostrophe at only one end belongs to the word. */
export function bare(word: string): string {
  const text = visible(word).trim();
  return text.replace(/^["“”„‟]+([^"“”„‟]*)["“”„‟]+$|^['`‘’‚‛«]+(.*[^'`‘’‚‛»])['`‘’‚‛»]+$/, '$1$2').trim();
}

/** Makes 'ΟΔΟΣ', 'οδος' and 'οδοσ' equal. PostgreSQL's `lower()` would depend on its locale. */
export function fold(name: string): string {
  const straight = straightened(name.normalize('NFC')).replace(/\s+/gu, ' ');
  return straight.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

export function isAmong(values: readonly (string | null)[], wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const known = new Set(wanted.map(fold));
  return values.some((value) => value !== null && known.has(fold(value)));
}
