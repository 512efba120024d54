import { InputError } from './errors.ts';
import { fold } from './fold.ts';

/** Returns what the word is a typo of: one in a short word, two in a longer one. */
export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  let fewestTypos = Infinity;
  for (const candidate of candidates) {
    const isShort = Math.max(word.length, candidate.length) <= 5;
    const allowedTypos = Math.min(isShort ? 1 : 2, fewestTypos - 1);
    const typos = typosBetween(word.toLowerCase(), candidate.toLowerCase(), allowedTypos);
    if (typos <= allowedTypos) [best, fewestTypos] = [candidate, typos];
  }
  return best;
}

function typosBetween(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (most <= 0) return Infinity;
  if (a[0] === b[0]) return typosBetween(a.slice(1), b.slice(1), most);
  const after = (inA: number, inB: number) => 1 + typosBetween(a.slice(inA), b.slice(inB), most - 1);
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return Math.min(after(1, 0), after(0, 1), after(1, 1), isSwapped ? after(2, 2) : Infinity);
}

/** More would be a page, not a hint. */
const MOST_LISTED = 12;

export function oneOf<Value extends string>(key: string, typed: string, values: readonly Value[], noun = key): Value {
  const value = values.find((known) => plain(known) === plain(typed));
  if (value === undefined) throw notInList(key, typed, values, noun);
  return value;
}

export function notInList(key: string, typed: string, values: readonly string[], noun = key): InputError {
  const problem = `There is no ${noun} ${typed}.`;
  if (values.length === 0) return new InputError(key, `${problem} None is known yet: leave ${key}: out.`);
  const word = plain(typed);
  const completed = word.length < 3 ? undefined : values.find((value) => plain(value).startsWith(word));
  const similar = nearest(word, values) ?? completed ?? null;
  if (similar !== null) return new InputError(key, `${problem} Did you mean ${similar}?`);
  const more = values.length > MOST_LISTED ? [`${values.length - MOST_LISTED} more`] : [];
  const listed = [...values.slice(0, MOST_LISTED), ...more].join(', ');
  return new InputError(key, `${problem} There are: ${listed}.`);
}

const plain = (value: string) => fold(value.trim()).replace(/[\s_-]+/g, '-');
