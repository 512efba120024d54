/**
 * A name as names are compared where case doesn't matter: here and nowhere else, since PostgreSQL's `lower()` depends on the database's
 * locale and isn't JavaScript's. By way of capitals, so that 'ΟΔΟΣ', 'οδος' and 'οδοσ' are one.
 */
export function fold(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}
