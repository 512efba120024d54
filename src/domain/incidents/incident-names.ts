import { fold } from '../fold.ts';
import { nearest } from '../nearest.ts';

/** An open incident by what people call it. */
export interface NamedIncident {
  readonly episodeId: number;
  readonly channel: string;
  readonly provider: string | null;
  readonly workflows: readonly string[];
}

/** Which incident somebody meant. */
export type MeantIncident =
  | { readonly is: 'one'; readonly episodeId: number }
  /** The words fit several, in the order of `open`; also where there are no words. */
  | { readonly is: 'several'; readonly episodeIds: readonly number[] }
  /** The words fit none; `nearest`: the same words with what was likely meant, which fit at least one. */
  | { readonly is: 'none'; readonly nearest: string | null };

/** `#17`, as rows show it. */
const NUMBER = /^#?(\d{1,15})$/;

/** More words, or longer ones, name no incident: each is compared with every name. */
const MOST_WORDS = 10;
const LONGEST_WORD = 200;
/** So many words at most are looked for among names that are like them. */
const MOST_MISTYPED = 4;

/** Whether a word of a command names an incident by its number. */
export function isIncidentNumber(word: string): boolean {
  return word.startsWith('#') && NUMBER.test(word);
}

/**
 * The incident that words name: its number (`#17`), or words that all fit it: its channel, provider or one of its workflows, without case, in any
 * order, also as they are in a row ('SendGrid — order-shipped') or with a slash between them. A number is taken as it is: it may be of
 * an incident that is over.
 */
export function incidentMeant(words: readonly string[], open: readonly NamedIncident[]): MeantIncident {
  const [number] = words.length === 1 ? (NUMBER.exec(words[0] ?? '')?.slice(1) ?? []) : [];
  if (number !== undefined) return { is: 'one', episodeId: Number(number) };
  if (isTooMuch(words)) return { is: 'none', nearest: null };
  const known = open.map((incident) => ({
    episodeId: incident.episodeId,
    names: new Set(namesOf(incident).map(plainly)),
  }));
  const wanted = words.flatMap((word) => wordsIn(word, known));
  if (isTooMuch(wanted)) return { is: 'none', nearest: null };
  const plain = wanted.map(plainly);
  const found = known.filter((incident) => fits(incident, plain));
  const [first] = found;
  if (first === undefined) return { is: 'none', nearest: nearestTo(wanted, open, known) };
  if (found.length === 1 && wanted.length > 0) return { is: 'one', episodeId: first.episodeId };
  return { is: 'several', episodeIds: found.map(({ episodeId }) => episodeId) };
}

/** An incident with its names as they are compared. */
interface Known {
  readonly episodeId: number;
  readonly names: ReadonlySet<string>;
}

function isTooMuch(words: readonly string[]): boolean {
  return words.length > MOST_WORDS || words.some((word) => word.length > LONGEST_WORD);
}

/** A name may have a slash in it: it's split where it isn't one as a whole. */
function wordsIn(word: string, known: readonly Known[]): string[] {
  const plain = [plainly(word)];
  const isName = known.some((incident) => fits(incident, plain));
  return (isName ? [word] : word.split('/')).filter((one) => /[\p{L}\p{N}]/u.test(one));
}

function fits({ names }: Known, plain: readonly string[]): boolean {
  return plain.every((word) => names.has(word));
}

function namesOf({ channel, provider, workflows }: NamedIncident): string[] {
  return [channel, ...(provider === null ? [] : [provider]), ...workflows];
}

/** 'In-app' and `in_app` are the same. */
function plainly(word: string): string {
  return fold(word).replaceAll(/[-_ ]/g, '');
}

function nearestTo(wanted: readonly string[], open: readonly NamedIncident[], known: readonly Known[]): string | null {
  if (wanted.length > MOST_MISTYPED) return null;
  const names = new Map(open.flatMap(namesOf).map((name) => [plainly(name), name]));
  const meant = wanted.map((word) => names.get(plainly(word)) ?? nearest(word, [...names.values()]));
  const words = meant.flatMap((word) => (word === null ? [] : [word]));
  const isWhole = words.length === wanted.length && words.length > 0;
  const plain = words.map(plainly);
  return isWhole && known.some((incident) => fits(incident, plain)) ? words.join(' ') : null;
}
