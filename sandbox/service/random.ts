export interface Random {
  next(): number;
  chance(probability: number): boolean;
  /** Returns a whole number. Both ends count. */
  between(low: number, high: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  hex(digits: number): string;
}

/** mulberry32: 32 bits of state, random enough for a sandbox, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(''),
  };
}

export function objectId(random: Random, atMs: number): string {
  return hexOf(Math.floor(atMs / 1000), word(random), word(random));
}

export const transactionId = (random: Random): string => `txn_${hexOf(word(random), word(random), word(random))}`;

const word = (random: Random): number => Math.floor(random.next() * 2 ** 32);

/** Uses a buffer, which gives one flat string: IDs take most of the memory of a world with 200,000 events. */
function hexOf(...words: readonly number[]): string {
  const bytes = Buffer.alloc(words.length * 4);
  words.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4);
  });
  return bytes.toString('hex');
}
