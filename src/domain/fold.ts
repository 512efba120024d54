/**
 * A name as names are compared where case doesn't matter: here and nowhere else, since PostgreSQL's `lower()` depends on the database's
 * locale and isn't JavaScript's. By way of capitals, so that 'ΟΔΟΣ', 'οδος' and 'οδοσ' are one.
 */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** Whether one of some values is among those that are wanted, compared as `as` makes them; any is where none is wanted. */
export function isAmong(
  values: readonly (string | null)[],
  wanted: readonly string[],
  as: (name: string) => string = fold,
): boolean {
  if (wanted.length === 0) return true;
  const known = new Set(wanted.map(as));
  return values.some((value) => value !== null && known.has(as(value)));
}
