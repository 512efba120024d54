import { fold } from '../fold.ts';
import { nearest } from '../nearest.ts';

/** An open incident with the names that people use for it. */
export interface NamedIncident {
  readonly episodeId: number;
  readonly channel: string;
  readonly provider: string | null;
  readonly workflows: readonly string[];
}

/** Which incident was meant. */
export type MeantIncident =
  | { readonly is: 'one'; readonly episodeId: number }
  /** The words match several, in the order of `open`; also if there are no words. Or they are several numbers, in the order typed. */
  | { readonly is: 'several'; readonly by: 'names' | 'numbers'; readonly episodeIds: readonly number[] }
  /** The words match none; `nearest`: the words corrected so that they match at least one. */
  | { readonly is: 'none'; readonly nearest: string | null };

/** `#17`, as rows show it, with what people write around it. */
const NUMBER = /^[([]*(#?)(\d{1,15})[)\].,:;!?]*$/;
const BETWEEN_NUMBERS = /^(?:and|&|\+|,)$/i;
/** What people write around a name. */
const AROUND_NAME = /^[([]+|(?<![)\].,:;!?])[)\].,:;!?]+$/g;

/** More words, or longer ones, match no incident, since each is compared with every name. */
const MOST_WORDS = 10;
const LONGEST_WORD = 200;
/** How many words at most are corrected by similar names. */
const MOST_MISTYPED = 4;

/** Returns whether a word of a command is an incident's number. */
export function isIncidentNumber(word: string): boolean {
  return NUMBER.exec(word)?.[1] === '#';
}

/**
 * Finds the incident that words refer to: by its number (`#17`, `incident 17`), or by words that all match its channel, provider or one of
 * its workflows, without case, in any order, also as in a row ('SendGrid — order-shipped') or separated by slashes. Numbers need no match:
 * they may be of ended incidents.
 */
export function incidentMeant(words: readonly string[], open: readonly NamedIncident[]): MeantIncident {
  const known = comparable(open);
  return matched(words, known) ?? { is: 'none', nearest: nearestTo(words, open, known) };
}

/** An incident with its names prepared for comparison. */
export interface Comparable {
  readonly episodeId: number;
  readonly names: ReadonlySet<string>;
}

/** Prepares incidents for `matched`, which costs more than to compare them with words. */
export function comparable(open: readonly NamedIncident[]): Comparable[] {
  return open.map((incident) => ({
    episodeId: incident.episodeId,
    names: new Set(namesOf(incident).map(plainly)),
  }));
}

/** Returns what words refer to, as `incidentMeant` does; null if that is none. */
export function matched(
  words: readonly string[],
  known: readonly Comparable[],
): Exclude<MeantIncident, { is: 'none' }> | null {
  const [number, ...others] = numbersIn(words);
  if (number !== undefined && others.length > 0)
    return { is: 'several', by: 'numbers', episodeIds: [number, ...others] };
  if (number !== undefined) return { is: 'one', episodeId: number };
  const wanted = namesIn(words, known);
  const plain = wanted?.map(plainly);
  const found = plain === undefined ? [] : known.filter((incident) => fits(incident, plain));
  const [first] = found;
  if (first === undefined) return null;
  if (found.length === 1 && wanted?.length !== 0) return { is: 'one', episodeId: first.episodeId };
  return { is: 'several', by: 'names', episodeIds: found.map(({ episodeId }) => episodeId) };
}

/** Returns the incidents' numbers, each once, if the words are nothing else: `#17`, `incident 17`, `#17, #18`, `17 and 18`. */
function numbersIn(words: readonly string[]): number[] {
  if (isTooMuch(words)) return [];
  const bare = /^incidents?$/i.test(words[0] ?? '') ? words.slice(1) : words;
  const typed = bare.flatMap((word) => word.split(/,(?=.)/));
  const numbers = typed.flatMap((word) => NUMBER.exec(word)?.[2] ?? []);
  const isAll = typed.every((word, at) => NUMBER.test(word) || (at < typed.length - 1 && BETWEEN_NUMBERS.test(word)));
  return isAll ? [...new Set(numbers.map(Number))] : [];
}

/** Returns the names in words; null if those are too many or too long. */
function namesIn(words: readonly string[], known: readonly Comparable[]): string[] | null {
  if (isTooMuch(words)) return null;
  const names = words.flatMap((word) => wordsIn(word, known));
  return isTooMuch(names) ? null : names;
}

function isTooMuch(words: readonly string[]): boolean {
  return words.length > MOST_WORDS || words.some((word) => word.length > LONGEST_WORD);
}

/** Splits a word at slashes, unless it is a name as a whole: names may contain a slash. */
function wordsIn(word: string, known: readonly Comparable[]): string[] {
  const plain = [plainly(word)];
  const isName = known.some((incident) => fits(incident, plain));
  return (isName ? [word] : word.split('/')).filter((one) => /[\p{L}\p{N}]/u.test(one));
}

function fits({ names }: Comparable, plain: readonly string[]): boolean {
  return plain.every((word) => names.has(word));
}

function namesOf({ channel, provider, workflows }: NamedIncident): string[] {
  return [channel, ...(provider === null ? [] : [provider]), ...workflows];
}

/** 'In-app' and `in_app` are the same. */
function plainly(word: string): string {
  return fold(word).replace(AROUND_NAME, '').replaceAll(/[-_ ]/g, '');
}

function nearestTo(
  typed: readonly string[],
  open: readonly NamedIncident[],
  known: readonly Comparable[],
): string | null {
  const wanted = namesIn(typed, known);
  if (wanted === null || wanted.length > MOST_MISTYPED) return null;
  const names = new Map(open.flatMap(namesOf).map((name) => [plainly(name), name]));
  const meant = wanted.map((word) => names.get(plainly(word)) ?? nearest(word, [...names.values()]));
  const words = meant.flatMap((word) => (word === null ? [] : [word]));
  const plain = words.map(plainly);
  return words.length === wanted.length && known.some((incident) => fits(incident, plain)) ? words.join(' ') : null;
}
