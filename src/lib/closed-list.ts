import { InputError } from './errors.ts';
import { fold } from './fold.ts';

/** Comparing takes quadratic time, and nobody mistypes a longer word by only a letter or two. */
const LONGEST_WORD = 200;

/** Returns the candidate most likely meant by `word`, ignoring case; null if none is within one typo in up to five letters, two in more. */
export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  if (word.length > LONGEST_WORD) return null;
  let best: Candidate | null = null;
  let fewest = 3;
  for (const candidate of candidates) {
    const longer = Math.max(word.length, candidate.length);
    const forgiven = Math.min(longer <= 5 ? 1 : 2, fewest - 1);
    if (Math.abs(word.length - candidate.length) > forgiven) continue;
    const typos = typosBetween(word.toLowerCase(), candidate.toLowerCase());
    if (typos > forgiven) continue;
    best = candidate;
    fewest = typos;
  }
  return best;
}

/** Returns how many letters were added, omitted, mistaken or swapped between two words (optimal string alignment). */
function typosBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const mistaken = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : mistaken;
      current.push(Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, mistaken, swapped));
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

/** Returns the typed value of a closed list, in any case, with spaces, hyphens or underscores. Throws an `InputError` for any other. */
export function oneOf<Value extends string>(
  { key, noun = key }: { readonly key: string; readonly noun?: string },
  typed: string,
  values: readonly Value[],
): Value {
  const wanted = plain(typed);
  const found = values.find((value) => plain(value) === wanted);
  if (found === undefined) throw notInList({ key, noun }, typed, values);
  return found;
}

export function notInList(
  { key, noun }: { readonly key: string; readonly noun: string },
  typed: string,
  values: readonly string[],
): InputError {
  const similar = nearest(plain(typed), values);
  const help = similar === null ? `There are: ${listed(values)}.` : `Did you mean ${similar}?`;
  return new InputError(key, `There is no ${noun} ${typed}. ${help}`, `${key}:${similar ?? values[0] ?? ''}`);
}

const MOST_LISTED = 12;

function listed(values: readonly string[]): string {
  const more = values.length - MOST_LISTED;
  return [...values.slice(0, MOST_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function plain(value: string): string {
  return fold(value.trim()).replace(/[\s_-]+/g, '-');
}
