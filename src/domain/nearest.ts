/** Comparing takes quadratic time, and nobody mistypes a longer word by only a letter or two. */
const LONGEST_WORD = 200;

/**
 * Returns the candidate most likely meant by `word`, or null if none is near: allows one typo in up to five letters, two in longer words.
 * Ignores case.
 */
export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  if (word.length > LONGEST_WORD) return null;
  const typed = word.toLowerCase();
  let best: { candidate: Candidate; distance: number } | null = null;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) > 2) continue;
    const distance = slips(typed, candidate.toLowerCase());
    const forgiven = Math.max(typed.length, candidate.length) <= 5 ? 1 : 2;
    if (distance <= forgiven && (best === null || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

/**
 * Returns how many letters were added, omitted, mistaken or swapped between two words (optimal string alignment). A swap, the commonest
 * typo on a keyboard, counts as one; in Levenshtein's distance, which the packages compute, it counts as two.
 */
function slips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const mistaken = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + mistaken,
          swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
