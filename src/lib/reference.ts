import { randomInt } from 'node:crypto';

/** Letters and digits that can't be confused when a reference is read out (Crockford's base 32). */
const REFERENCE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newReference(): string {
  return Array.from({ length: 5 }, () => REFERENCE_SIGNS[randomInt(REFERENCE_SIGNS.length)]).join('');
}
