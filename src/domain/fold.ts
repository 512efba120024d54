/** Undoes what phones insert in typed text, typographic quotes and dashes, and removes invisible characters. */
export function straightened(text: string): string {
  return text
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/\p{Cf}/gu, '');
}

/**
 * Returns a name for comparison without case. Only this function does that, since PostgreSQL's `lower()` depends on the database's locale
 * and differs from JavaScript's. It goes by way of capitals, so that 'ΟΔΟΣ', 'οδος' and 'οδοσ' are the same. A name with a dash or an
 * apostrophe that commands straighten is the same as the straight one.
 */
export function fold(name: string): string {
  const straight = straightened(name).replace(/\s+/gu, ' ');
  return straight.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Compares IDs, in which case matters. */
export const asIs = (id: string): string => id;

/** Returns whether one of some values is wanted, compared after `as`; if nothing is wanted, any value is. */
export function isAmong(
  values: readonly (string | null)[],
  wanted: readonly string[],
  as: (name: string) => string = fold,
): boolean {
  if (wanted.length === 0) return true;
  const known = new Set(wanted.map(as));
  return values.some((value) => value !== null && known.has(as(value)));
}
