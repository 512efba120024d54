/** Proxies and servers refuse URLs of more than 4 kB (some 8 kB) with 414; the rest is for the base address and the other parameters. */
const MOST_BYTES = 3_400;

/** Groups IDs, in order, into as few batches as possible, of at most `most` IDs and what a query can have under `parameter`, encoded. */
export function queryBatches(ids: readonly string[], parameter: string, most: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const id of ids) {
    const idBytes = new URLSearchParams([[parameter, id]]).toString().length + 1;
    const batch = batches.at(-1);
    if (batch === undefined || batch.length >= most || bytes + idBytes > MOST_BYTES) {
      batches.push([id]);
      bytes = idBytes;
    } else {
      batch.push(id);
      bytes += idBytes;
    }
  }
  return batches;
}
