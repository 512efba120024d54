import { fieldName } from '../judging/answer-fields.ts';
import { type ErrorText, type Words, wordsOf } from './error-text.ts';
import type { KnownCause } from './load-causes.ts';

/** The strongest comes first (docs/causes.md). */
const RANKS = [
  'own',
  'vendor',
  'sentence',
  'reply',
  'status',
  'network',
  'words',
  'broad',
  'named',
  'command',
  'general',
  'http',
] as const;

export type Rank = (typeof RANKS)[number];

export interface Rule {
  cause: KnownCause;
  rank: Rank;
  /** `any`, `channel email`, `provider twilio` */
  scopes: readonly string[];
  /** The least wins: by rank, and of equals the first in the catalog. */
  order: number;
}

/** `ip|host listed|banned` has two groups. A text has the pattern if a phrase of each group stands near the others. */
interface Pattern {
  groups: number;
  near: number;
  /** Null: it counts only beside a code. */
  rule: Rule | null;
  /** Where a text has it only within names, such as InvalidPhoneNumber. */
  named: Rule | null;
}

interface Phrase {
  /** ` client host `: with blanks around it, but for one that ends in any way */
  words: string;
  parts: { pattern: Pattern; group: number }[];
}

interface CodeRule {
  isFor: (field: string | null) => boolean;
  beside: readonly Pattern[];
  rule: Rule;
}

/** The phrases that begin with a word, so that finding them takes as long as the text is, and not the catalog. */
interface Starts {
  /** Of this word alone. */
  alone: Phrase[];
  byNext: Map<string, Phrase[]>;
}

export interface RuleIndex {
  byCode: ReadonlyMap<string, readonly CodeRule[]>;
  byWord: ReadonlyMap<string, Starts>;
  /** Single words with any ending, by their first letters. */
  stems: ReadonlyMap<string, readonly Phrase[]>;
}

/** A word with any ending has at least so many before it: `refus*`. */
const STEM_LETTERS = 3;

export function indexRules(causes: readonly KnownCause[]): RuleIndex {
  const phrases = new Map<string, Phrase>();
  const byCode = new Map<string, CodeRule[]>();
  for (const [position, cause] of causes.entries()) {
    const ruleOf = (rank: Rank): Rule => {
      const order = RANKS.indexOf(rank) * causes.length + position;
      return { cause, rank, scopes: scopesOf(cause), order };
    };
    const { near } = cause;
    for (const text of cause.texts) addPattern(phrases, [[text]], { near, rule: ruleOf(textRank(cause)), named: null });
    const isAlone = cause.codes.length === 0;
    const rules = isAlone
      ? { near, rule: ruleOf(patternRank(cause)), named: ruleOf('named') }
      : { near, rule: null, named: null };
    const beside = cause.patterns.map((pattern) => addPattern(phrases, groupsOf(pattern), rules));
    for (const code of cause.codes) {
      const { value, field } = readCode(code);
      const codeRule = { isFor: fieldTest(value, field, cause), beside, rule: ruleOf(codeRank(value, field, cause)) };
      byCode.set(value, [...(byCode.get(value) ?? []), codeRule]);
    }
  }
  return { byCode, ...byStart([...phrases.values()]) };
}

function byStart(phrases: readonly Phrase[]): Pick<RuleIndex, 'byWord' | 'stems'> {
  const [byWord, stems] = [new Map<string, Starts>(), new Map<string, Phrase[]>()];
  const add = (map: Map<string, Phrase[]>, key: string, phrase: Phrase) =>
    map.set(key, [...(map.get(key) ?? []), phrase]);
  for (const phrase of phrases) {
    // Behind its first word, ` client host ` has `host` and '', ` client ` only '', and ` refus`, of any ending, nothing.
    const [, first = '', ...rest] = phrase.words.split(' ');
    const next = rest.length > 1 ? rest[0] : undefined;
    const starts = byWord.get(first) ?? { alone: [], byNext: new Map() };
    if (rest.length === 0) add(stems, first.slice(0, STEM_LETTERS), phrase);
    else if (next === undefined) byWord.set(first, { ...starts, alone: [...starts.alone, phrase] });
    else byWord.set(first, { ...starts, byNext: add(starts.byNext, next, phrase) });
  }
  return { byWord, stems };
}

/** All that an error fits, the best first. */
export function rulesFor(index: RuleIndex, { words, nameWords, codes }: ErrorText): Rule[] {
  const present = patternsIn(index, words);
  const inNames = nameWords === null ? [] : [...patternsIn(index, nameWords)];
  const byCode = codes.flatMap(({ field, value }) =>
    (index.byCode.get(value) ?? []).filter(
      ({ isFor, beside }) => isFor(field) && (beside.length === 0 || beside.some((pattern) => present.has(pattern))),
    ),
  );
  const found = [
    ...byCode.map(({ rule }) => rule),
    ...[...present].flatMap(({ rule }) => rule ?? []),
    ...inNames.flatMap(({ named }) => named ?? []),
  ];
  return found.sort((a, b) => a.order - b.order);
}

/** A reply's code, such as 550, is near all words of its text. */
const REPLY = /^[245]\d\d$/;
/** In place of a word's place in the text. */
const [NOWHERE, EVERYWHERE] = [-1, -2];

/** Looks at each word for the phrases that begin there, and remembers where each group of a pattern was met last. */
function patternsIn({ byWord, stems }: RuleIndex, { text, list }: Words): ReadonlySet<Pattern> {
  const met = new Map<Pattern, number[]>();
  const present = new Set<Pattern>();
  let offset = 0;
  const meet = (place: number, phrases: readonly Phrase[] = []) => {
    for (const { words, parts } of phrases) {
      if (!text.startsWith(words, offset)) continue;
      for (const { pattern, group } of parts) {
        const places = met.get(pattern) ?? new Array<number>(pattern.groups).fill(NOWHERE);
        places[group] = place;
        if (pattern.groups > 1) met.set(pattern, places);
        if (areNear(places, pattern.near)) present.add(pattern);
      }
    }
  };
  for (const [at, word] of list.entries()) {
    const starts = byWord.get(word);
    const place = REPLY.test(word) ? EVERYWHERE : at;
    meet(place, stems.get(word.slice(0, STEM_LETTERS)));
    meet(place, starts?.alone);
    meet(place, starts?.byNext.get(list[at + 1] ?? ''));
    offset += word.length + 1;
  }
  return present;
}

function areNear(places: readonly number[], near: number) {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const place of places) {
    if (place === NOWHERE) return false;
    if (place === EVERYWHERE) continue;
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return last - first <= near;
}

type Groups = readonly (readonly string[])[];

/** A phrase that ends in `*` matches longer words, too. */
function addPattern(phrases: Map<string, Phrase>, groups: Groups, rules: Omit<Pattern, 'groups'>): Pattern {
  const pattern = { groups: groups.length, ...rules };
  for (const [group, alternatives] of groups.entries())
    for (const written of alternatives) {
      const words = written.endsWith('*') ? wordsOf(written).trimEnd() : wordsOf(written);
      const phrase = phrases.get(words) ?? { words, parts: [] };
      phrase.parts.push({ pattern, group });
      phrases.set(words, phrase);
    }
  return pattern;
}

const groupsOf = (pattern: string): Groups =>
  pattern.split(/\s+/).map((group) => group.replaceAll('_', ' ').split('|'));

function scopesOf({ providers, channel }: KnownCause) {
  if (providers.length > 0) return providers.map((provider) => `provider ${provider}`);
  return [channel === null ? 'any' : `channel ${channel}`];
}

const isOwn = ({ kind }: KnownCause) => kind === 'own' || kind === 'any';

function textRank(cause: KnownCause): Rank {
  if (isOwn(cause)) return cause.providers.length > 0 ? 'own' : 'sentence';
  return cause.kind === 'network' && cause.broad ? 'http' : 'words';
}

function patternRank(cause: KnownCause): Rank {
  if (cause.kind === 'smtp') return 'reply';
  return isOwn(cause) && cause.providers.length > 0 && !cause.broad ? 'sentence' : 'words';
}

function readCode(code: string) {
  const [, name, written = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
  return { field: name === undefined ? null : fieldName(name), value: written.toLowerCase() };
}

function fieldTest(value: string, field: string | null, { kind }: KnownCause) {
  if (field === null) return (stated: string | null) => FIELDS[kind].test(stated ?? '');
  // Up to three digits mean nothing without a field.
  return (stated: string | null) => stated === field || (stated === null && !/^\d{1,3}$/.test(value));
}

/** Fields that a kind's codes have; '' is none. */
const FIELDS: Readonly<Record<KnownCause['kind'], RegExp>> = {
  any: /^/,
  own: /^(?!smtp$)/,
  smtp: /^(?:|smtp|enhanced|(?:response|smtp|error|status)?code|(?:smtp)?status)$/,
  network: /^(?:shouted|code|errno)$/,
  http: /^(?:|http|smtp|(?:http)?status|(?:response|error|(?:http)?status)?code|error)$/,
};

function codeRank(value: string, field: string | null, cause: KnownCause): Rank {
  const { kind, broad, patterns, providers } = cause;
  if (isOwn(cause) && broad) return 'broad';
  if (isOwn(cause)) return providers.length > 0 ? 'own' : 'sentence';
  // Three-digit details (5.7.508) are a vendor's own statuses.
  if (patterns.length > 0 || (kind === 'smtp' && /\.\d{3}$/.test(value))) return 'vendor';
  if (field === 'command') return 'command';
  if (kind === 'smtp') return value.includes('.') && !broad ? 'status' : 'general';
  if (kind === 'http' && providers.length > 0) return 'broad';
  return kind === 'network' && !broad ? 'network' : 'http';
}
