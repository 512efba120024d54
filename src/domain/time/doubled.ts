/** Returns a pause that has doubled this many times, from `firstMs` up to `longestMs`. */
export function doubled(firstMs: number, times: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** times, longestMs);
}
