import { nearest } from './names.ts';

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

/** Whether a word of a command names an incident by its number. */
export function isIncidentNumber(word: string): boolean {
  return word.startsWith('#') && NUMBER.test(word);
}

/**
 * The incident that words name: its number (`#17`), or words that all fit it: its channel, provider or one of its workflows, without case, in any
 * order, also as they stand in a row ('SendGrid — order-shipped') or with a slash between them. A number is taken as it is: it may be of
 * an incident that is over.
 */
export function incidentMeant(words: readonly string[], open: readonly NamedIncident[]): MeantIncident {
  const [number] = words.length === 1 ? (NUMBER.exec(words[0] ?? '')?.slice(1) ?? []) : [];
  if (number !== undefined) return { is: 'one', episodeId: Number(number) };
  const wanted = words.flatMap((word) => wordsIn(word, open));
  const found = open.filter((incident) => fits(incident, wanted));
  const [first] = found;
  if (first === undefined) return { is: 'none', nearest: nearestTo(wanted, open) };
  if (found.length === 1 && wanted.length > 0) return { is: 'one', episodeId: first.episodeId };
  return { is: 'several', episodeIds: found.map(({ episodeId }) => episodeId) };
}

/** A name may have a slash in it: it's split where it isn't one as a whole. */
function wordsIn(word: string, open: readonly NamedIncident[]): string[] {
  const isName = open.some((incident) => fits(incident, [word]));
  return (isName ? [word] : word.split('/')).filter((one) => /[\p{L}\p{N}]/u.test(one));
}

function fits(incident: NamedIncident, wanted: readonly string[]): boolean {
  const names = namesOf(incident).map(plainly);
  return wanted.every((word) => names.includes(plainly(word)));
}

function namesOf({ channel, provider, workflows }: NamedIncident): string[] {
  return [channel, ...(provider === null ? [] : [provider]), ...workflows];
}

/** 'In-app' and `in_app` are the same. */
function plainly(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '');
}

function nearestTo(wanted: readonly string[], open: readonly NamedIncident[]): string | null {
  const known = [...new Set(open.flatMap(namesOf))];
  const meant = wanted.map((word) => known.find((name) => plainly(name) === plainly(word)) ?? nearest(word, known));
  const words = meant.flatMap((word) => (word === null ? [] : [word]));
  const isWhole = words.length === wanted.length && words.length > 0;
  return isWhole && open.some((incident) => fits(incident, words)) ? words.join(' ') : null;
}
