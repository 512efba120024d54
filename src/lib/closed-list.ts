import { InputError } from './errors.ts';
import { fold } from './fold.ts';

/** Returns the candidate most likely meant by `word`, ignoring case; null if none is within one typo in up to five letters, two in more. */
export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  let fewest = 3;
  for (const candidate of candidates) {
    const longer = Math.max(word.length, candidate.length);
    const forgiven = Math.min(longer <= 5 ? 1 : 2, fewest - 1);
    // Comparing takes quadratic time, and nobody mistypes a longer word by only a letter or two.
    if (word.length > 200 || Math.abs(word.length - candidate.length) > forgiven) continue;
    const typos = typosBetween(word.toLowerCase(), candidate.toLowerCase());
    if (typos > forgiven) continue;
    best = candidate;
    fewest = typos;
  }
  return best;
}

/** Returns how many letters were added, omitted, mistaken or swapped between two words (optimal string alignment). */
function typosBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= b.length; column++) {
      const mistaken = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : mistaken;
      rows[row]?.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, mistaken, swapped));
    }
  }
  return at(a.length, b.length);
}

/** Returns the typed value of a closed list, in any case, with spaces, hyphens or underscores. Throws an `InputError` for any other. */
export function oneOf<Value extends string>(
  { key, noun = key }: { readonly key: string; readonly noun?: string },
  typed: string,
  values: readonly Value[],
): Value {
  const found = values.find((value) => plain(value) === plain(typed));
  if (found === undefined) throw notInList({ key, noun }, typed, values);
  return found;
}

export function notInList(
  { key, noun }: { readonly key: string; readonly noun: string },
  typed: string,
  values: readonly string[],
): InputError {
  const similar = nearest(plain(typed), values);
  const more = values.length > 12 ? [`${values.length - 12} more`] : [];
  const help =
    similar === null ? `There are: ${[...values.slice(0, 12), ...more].join(', ')}.` : `Did you mean ${similar}?`;
  return new InputError(key, `There is no ${noun} ${typed}. ${help}`, `${key}:${similar ?? values[0] ?? ''}`);
}

function plain(value: string): string {
  return fold(value.trim()).replace(/[\s_-]+/g, '-');
}
