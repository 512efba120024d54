/** A pause that doubles each of some times, from `firstMs` up to `longestMs`. */
export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}
