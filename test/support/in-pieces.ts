import type { World } from './world.ts';

const READ = ['Events checked', 'Late failures checked'];

/** Lets time pass in pieces, each of which is read before the next: a busy machine would find failures so late that they seem to be over. */
export async function passesInPieces(
  { log, passes }: Pick<World, 'log' | 'passes'>,
  ms: number,
  pieceMs: number,
): Promise<void> {
  for (let passed = 0; passed < ms; passed += pieceMs) {
    const before = READ.map((words) => log.saying(words).length);
    passes(pieceMs);
    for (const [index, words] of READ.entries()) await log.until(words, (before[index] ?? 0) + 1);
  }
}
