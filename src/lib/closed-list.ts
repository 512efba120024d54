import { InputError } from './errors.ts';
import { fold } from './fold.ts';

export function nearest<Candidate extends string>(word: string, candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  let fewestTypos = 3;
  for (const candidate of candidates) {
    const allowedTypos = Math.min(Math.max(word.length, candidate.length) <= 5 ? 1 : 2, fewestTypos - 1);
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
  const more = values.length > 12 ? [`${values.length - 12} more`] : [];
  const hint =
    similar === null ? `There are: ${[...values.slice(0, 12), ...more].join(', ')}.` : `Did you mean ${similar}?`;
  return new InputError(key, `${problem} ${hint}`);
}

const plain = (value: string) => fold(value.trim()).replace(/[\s_-]+/g, '-');
