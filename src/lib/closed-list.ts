import { InputError } from './errors.ts';
import { fold } from './fold.ts';

export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  let fewest = 3;
  for (const candidate of candidates) {
    const forgiven = Math.min(Math.max(word.length, candidate.length) <= 5 ? 1 : 2, fewest - 1);
    if (word.length > 200 || Math.abs(word.length - candidate.length) > forgiven) continue;
    const typos = typosBetween(word.toLowerCase(), candidate.toLowerCase());
    if (typos <= forgiven) [best, fewest] = [candidate, typos];
  }
  return best;
}

function typosBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row++) {
    const typos = [row];
    rows.push(typos);
    for (let column = 1; column <= b.length; column++) {
      const mistaken = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : mistaken;
      typos.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, mistaken, swapped));
    }
  }
  return at(a.length, b.length);
}

interface ListName {
  key: string;
  noun?: string;
}

export function oneOf<Value extends string>(name: ListName, typed: string, values: readonly Value[]): Value {
  const found = values.find((value) => plain(value) === plain(typed));
  if (found === undefined) throw notInList(name, typed, values);
  return found;
}

export function notInList({ key, noun = key }: ListName, typed: string, values: readonly string[]): InputError {
  const similar = nearest(plain(typed), values);
  const more = values.length > 12 ? [`${values.length - 12} more`] : [];
  const help =
    similar === null ? `There are: ${[...values.slice(0, 12), ...more].join(', ')}.` : `Did you mean ${similar}?`;
  return new InputError(key, `There is no ${noun} ${typed}. ${help}`, `${key}:${similar ?? values[0] ?? ''}`);
}

function plain(value: string): string {
  return fold(value.trim()).replace(/[\s_-]+/g, '-');
}
