import { fieldName } from '../failures/reason.ts';
import { codesIn, commandIn, type FoundCode } from './codes-in.ts';
import type { KnownCause } from './load-causes.ts';

export interface Rule {
  rank: number;
  /** A code's; null if it counts in any. */
  field: string | null;
  isIn: (error: Read) => boolean;
  cause: KnownCause;
}

export interface Read {
  text: string;
  words: string;
  eachWord: ReadonlySet<string>;
  codes: readonly FoundCode[];
  command: string | null;
}

type Rules = { byCode: Map<string, Rule[]>; byText: Rule[] };
export type RulesByScope = ReadonlyMap<string, Rules>;

/** By what a rule says, not by its length. */
const RANKS = [
  'code with a phrase',
  'own code',
  'own text',
  'reply in words',
  'enhanced status',
  'network',
  'words',
  'text',
  'broad code',
  'command',
  'general status',
  'broad network',
  'http',
] as const;

export function readIn(text: string): Read {
  const words = wordsOf(text);
  return { text, words, eachWord: new Set(words.split(' ')), codes: codesIn(text), command: commandIn(text) };
}

export function rulesFor(code: FoundCode, byCode: Map<string, Rule[]>): readonly Rule[] {
  const rules = byCode.get(code.value) ?? byCode.get(code.value.replace(/^([45]\.\d)\.\d+$/, '$1.*')) ?? [];
  return rules.filter((rule) => isFor(rule, code));
}

function isFor({ field, cause: { kind } }: Rule, code: FoundCode): boolean {
  if (field === null) return FIELDS[kind].test(code.field ?? '');
  // Up to three digits mean nothing without a field.
  return field === code.field || (code.field === null && !/^\d{1,3}$/.test(code.value));
}

const FIELDS: Readonly<Record<KnownCause['kind'], RegExp>> = {
  any: /^/,
  own: /^(?!smtp$)/,
  smtp: /^(?:|smtp|enhanced|(?:response|smtp|error|status)?code|(?:smtp)?status)$/,
  network: /^(?:shouted|code|errno)$/,
  http: /^(?:|http|(?:http)?status|(?:response|error|(?:http)?status)?code|error)$/,
};

const CLAUSE = /[.:;,!?()[\]{}"'“”’`>|-]\s?|\d\s/;
/** Addresses and names of files. */
const NO_WORDS = /[@•]|^\d{1,3}(?:\.\d{1,3}){3}$|\.(?:png|jpe?g|gif|pdf|css|js)$/i;

/** ` client host blocked using zen spamhaus org `, without Postfix's "host … said". */
function wordsOf(text: string): string {
  const codes = text.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (code) => code.replaceAll('_', ' '));
  const parts = codes.replace(/^host \S+ said:|['’‘`]/g, '').split(/[\s<>()[\]",;:]+/);
  const words = parts.filter((part) => !NO_WORDS.test(part)).join(' ');
  return ` ${words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()} `;
}

/** A phrase that ends in `*` may go on. */
function isIn(phrase: string): Rule['isIn'] {
  const words = wordsOf(phrase);
  if (phrase.endsWith('*')) return (read) => read.words.includes(words.trimEnd());
  const [, first = ''] = words.split(' ');
  // Most words aren't in the text: looking for the first is faster than searching the text for all.
  return (read) => read.eachWord.has(first) && read.words.includes(words);
}

function areIn(pattern: string): Rule['isIn'] {
  const groups = pattern.split(/\s+/).map((group) => group.replaceAll('_', ' ').split('|').map(isIn));
  return (read) => groups.every((group) => group.some((found) => found(read)));
}

export function byScope(causes: readonly KnownCause[]): RulesByScope {
  const scopes = new Map<string, Rules>();
  for (const cause of causes) {
    for (const name of scopesOf(cause)) {
      const { byCode, byText }: Rules = scopes.get(name) ?? { byCode: new Map(), byText: [] };
      scopes.set(name, { byCode, byText });
      for (const [value, rule] of codeRules(cause)) byCode.set(value, [...(byCode.get(value) ?? []), rule]);
      byText.push(...cause.texts.map((text) => textRule(text, cause)));
      if (cause.codes.length === 0) byText.push(...cause.patterns.map((pattern) => wordsRule(pattern, cause)));
    }
  }
  return scopes;
}

function scopesOf({ providers, channel }: KnownCause): readonly string[] {
  if (providers.length > 0) return providers.map((provider) => `provider ${provider.toLowerCase()}`);
  return [channel === null ? 'any' : `channel ${channel.toLowerCase()}`];
}

function codeRules(cause: KnownCause): (readonly [value: string, Rule])[] {
  const patterns = cause.patterns.map(areIn);
  const isBeside = (read: Read) => patterns.length === 0 || patterns.some((found) => found(read));
  return cause.codes.map((code) => {
    const [, name, value = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
    const field = name === undefined ? null : fieldName(name);
    const rank = RANKS.indexOf(rankOfCode(value, field, cause));
    return [value.toLowerCase(), { rank, field, isIn: isBeside, cause }] as const;
  });
}

type Rank = (typeof RANKS)[number];

function rankOfCode(value: string, field: string | null, { kind, broad, patterns }: KnownCause): Rank {
  if (patterns.length > 0) return 'code with a phrase';
  if (field === 'command') return 'command';
  // Statuses of three digits are a vendor's own.
  if (kind === 'smtp' && /\.\d{3}$/.test(value)) return 'own code';
  if (kind === 'smtp') return value.includes('.') && !broad ? 'enhanced status' : 'general status';
  if (kind === 'network' && broad) return 'broad network';
  if (!broad && (kind === 'network' || kind === 'http')) return kind;
  return broad || (/^[45]\d\d$/.test(value) && field === null) ? 'broad code' : 'own code';
}

/** Fewer than four words only at the start of a clause; the longer says more. */
function textRule(text: string, cause: KnownCause): Rule {
  const [isSaid, phrase, beginning] = [isIn(text), wordsOf(text), wordsOf(text.split(CLAUSE)[0] ?? '')];
  const isLong = phrase.trim().split(' ').length >= 4;
  const begins = ({ text: said }: Read) => said.split(CLAUSE).some((clause) => wordsOf(clause).startsWith(beginning));
  const general = cause.kind === 'network' && cause.broad ? 'broad network' : 'text';
  const rank = RANKS.indexOf(cause.kind === 'own' ? 'own text' : general) - phrase.length / 1_000;
  return { rank, field: null, isIn: (read) => isSaid(read) && (isLong || begins(read)), cause };
}

function wordsRule(pattern: string, cause: KnownCause): Rule {
  const rank = RANKS.indexOf(cause.kind === 'smtp' ? 'reply in words' : 'words');
  return { rank, field: null, isIn: areIn(pattern), cause };
}
