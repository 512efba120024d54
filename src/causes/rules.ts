import { fieldName } from '../failures/reason.ts';
import { codesIn, commandIn, type FoundCode } from './codes-in.ts';
import type { KnownCause } from './load-causes.ts';

export interface Rule {
  rank: number;
  length: number;
  /** A code's; null if it counts in any. */
  field: string | null;
  isIn: (error: Read) => boolean;
  cause: KnownCause;
}

export interface Read {
  codes: readonly FoundCode[];
  words: string;
  clauses: readonly string[];
  command: ReturnType<typeof commandIn>;
}

type Rules = { byCode: Map<string, Rule[]>; byText: Rule[] };
export type RulesByScope = ReadonlyMap<string, Rules>;

/** By what a rule says, not by its length. */
const RANKS = [
  'code with a phrase',
  'own code',
  'own text',
  'reply in words',
  'status with a phrase',
  'enhanced status',
  'network',
  'words',
  'text',
  'broad code',
  'own status',
  'command',
  'general status',
  'broad network',
  'http',
] as const;

export function readIn(text: string): Read {
  const clauses = text.split(CLAUSE).map(wordsOf);
  return { codes: codesIn(text), words: wordsOf(text), clauses, command: commandIn(text) };
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
/** Postfix's "host … said", addresses, and names of files. */
const NO_WORDS =
  /^host \S+ said:|[^\s<>()"',;:]*(?:@|•)[^\s<>()"',;:]*|\b\d{1,3}(?:\.\d{1,3}){3}\b|[^\s/]+\.(?:png|jpe?g|gif|pdf|css|js)\b/gi;

/** ` host blocked using zen spamhaus org `: without marks, addresses and files. */
function wordsOf(text: string): string {
  const plain = text
    .replace(/['’‘`]/g, '')
    .replace(NO_WORDS, ' ')
    .toLowerCase();
  return ` ${plain
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
    .join(' ')} `;
}

export function byScope(causes: readonly KnownCause[]): RulesByScope {
  const scopes = new Map<string, Rules>();
  for (const cause of causes) {
    for (const name of scopesOf(cause)) {
      const { byCode, byText }: Rules = scopes.get(name) ?? { byCode: new Map(), byText: [] };
      scopes.set(name, { byCode, byText });
      for (const [value, rule] of codeRules(cause)) byCode.set(value, [...(byCode.get(value) ?? []), rule]);
      byText.push(...cause.texts.map((text) => textRule(text, cause)));
      byText.push(...cause.patterns.map((pattern) => wordsRule(pattern, cause)));
    }
  }
  return scopes;
}

function scopesOf({ providers, channel }: KnownCause): readonly string[] {
  if (providers.length > 0) return providers.map((provider) => `provider ${provider.toLowerCase()}`);
  return [channel === null ? 'any' : `channel ${channel.toLowerCase()}`];
}

function codeRules(cause: KnownCause): (readonly [value: string, Rule])[] {
  const phrases = cause.having.map(wordsOf);
  const isIn = ({ words }: Read) => phrases.length === 0 || phrases.some((phrase) => words.includes(phrase));
  return cause.codes.map((code) => {
    const [, name, value = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
    const field = name === undefined ? null : fieldName(name);
    const rank = RANKS.indexOf(rankOfCode(value, field, cause));
    return [value.toLowerCase(), { rank, length: 0, field, isIn, cause }] as const;
  });
}

function rankOfCode(value: string, field: string | null, { kind, broad, having }: KnownCause): (typeof RANKS)[number] {
  if (having.length > 0) return kind === 'smtp' ? 'status with a phrase' : 'code with a phrase';
  if (field === 'command') return 'command';
  // Statuses of three digits are a vendor's own.
  if (kind === 'smtp' && /\.\d{3}$/.test(value)) return 'own code';
  if (kind === 'smtp') return value.includes('.') && !broad ? 'enhanced status' : 'general status';
  if (broad) return kind === 'network' ? 'broad network' : 'broad code';
  if (kind === 'network' || kind === 'http') return kind;
  return /^[45]\d\d$/.test(value) && field === null ? 'own status' : 'own code';
}

/** Fewer than four words only at the start of a clause. */
function textRule(text: string, cause: KnownCause): Rule {
  const phrase = wordsOf(text);
  const isLong = phrase.trim().split(' ').length >= 4;
  const beginning = wordsOf(text.split(CLAUSE)[0] ?? '');
  const isIn = ({ words, clauses }: Read) =>
    words.includes(phrase) && (isLong || clauses.some((clause) => clause.startsWith(beginning)));
  const general = cause.kind === 'network' && cause.broad ? 'broad network' : 'text';
  const rank = RANKS.indexOf(cause.kind === 'own' ? 'own text' : general);
  return { rank, length: phrase.length, field: null, isIn, cause };
}

/** A word that ends in `*` may go on. */
function needleOf(word: string): string {
  const words = wordsOf(word.replaceAll('_', ' '));
  return word.endsWith('*') ? words.trimEnd() : words;
}

function wordsRule(pattern: string, cause: KnownCause): Rule {
  const all = pattern.split(/\s+/).map((group) => group.split('|').map(needleOf));
  const isIn = ({ words }: Read) => all.every((group) => group.some((word) => words.includes(word)));
  return {
    rank: RANKS.indexOf(cause.kind === 'smtp' ? 'reply in words' : 'words'),
    length: 0,
    field: null,
    isIn,
    cause,
  };
}
