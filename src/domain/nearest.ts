/** Comparing takes quadratic time, and nobody mistypes a longer word by only a letter or two. */
const LONGEST_WORD = 200;

/** Returns the candidate most likely meant by `word`, ignoring case; null if none is within one typo in up to five letters, two in more. */
export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  if (word.length > LONGEST_WORD) return null;
  const typed = word.toLowerCase();
  let best: Candidate | null = null;
  let most = 2;
  for (const candidate of candidates) {
    const forgiven = Math.max(typed.length, candidate.length) <= 5 ? 1 : 2;
    const distance = slips(typed, candidate.toLowerCase(), Math.min(forgiven, most));
    if (distance === null) continue;
    best = candidate;
    most = distance - 1;
  }
  return best;
}

/**
 * Returns how many letters were added, omitted, mistaken or swapped between two words (optimal string alignment), or null if it's more than
 * `most`. A swap, the commonest typo on a keyboard, counts as one; in Levenshtein's distance, which the packages compute, it counts as two.
 */
function slips(a: string, b: string, most: number): number | null {
  // Most pairs differ in more letters than that, which is known sooner.
  if (Math.abs(a.length - b.length) > most || Math.max(strangers(a, b), strangers(b, a)) > most) return null;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const mistaken = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
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
  const all = at(last, b.length);
  return all <= most ? all : null;
}

/** Returns how many letters of a word aren't in the other one: each is a slip. */
function strangers(word: string, other: string): number {
  let count = 0;
  for (const letter of word) if (!other.includes(letter)) count += 1;
  return count;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
