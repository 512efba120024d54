/**
 * Returns a name for comparison without case. Only this function does that, since PostgreSQL's `lower()` depends on the database's locale
 * and differs from JavaScript's. It goes by way of capitals, so that 'ΟΔΟΣ', 'οδος' and 'οδοσ' are the same.
 */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
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
