/** Context keys match as a whole: the same keys, in any order. */
export function hasContextKeys(given: readonly string[], wanted: readonly string[]): boolean {
  return given.length === new Set(wanted).size && wanted.every((key) => given.includes(key));
}
