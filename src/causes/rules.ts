import { fieldName } from '../failures/reason.ts';
import { codesIn, commandIn, type FoundCode } from './codes-in.ts';
import type { KnownCause } from './load-causes.ts';

export interface Rule {
  scope: string;
  rank: number;
  isIn: (error: Read) => boolean;
  cause: KnownCause;
}

export interface Read {
  words: string;
  eachWord: ReadonlySet<string>;
  codes: readonly FoundCode[];
  command: string | null;
}

const RANKS = ['own', 'reply', 'status', 'network', 'words', 'broad', 'command', 'general', 'http'] as const;

type Evidence = Pick<Rule, 'isIn'> & { rank: (typeof RANKS)[number] };

export function rulesOf(causes: readonly KnownCause[]): readonly Rule[] {
  const rules = causes.flatMap((cause) => {
    const evidence = evidenceOf(cause).map(({ isIn, rank }) => ({ isIn, rank: RANKS.indexOf(rank), cause }));
    return scopesOf(cause).flatMap((scope) => evidence.map((rule) => ({ scope, ...rule })));
  });
  return rules.toSorted((a, b) => a.rank - b.rank);
}

function scopesOf({ providers, channel }: Pick<KnownCause, 'providers' | 'channel'>): readonly string[] {
  if (providers.length > 0) return providers.map((provider) => `provider ${provider}`);
  return [channel === null ? 'any' : `channel ${channel}`];
}

function evidenceOf(cause: KnownCause): readonly Evidence[] {
  const { kind, broad, codes, texts, patterns } = cause;
  const text = kind === 'own' ? 'own' : kind === 'network' && broad ? 'http' : 'words';
  const words = kind === 'smtp' ? 'reply' : 'words';
  return [
    ...codes.map((code) => codeIn(code, cause)),
    ...texts.map((phrase) => ({ isIn: isIn(phrase), rank: text }) as const),
    ...(codes.length > 0 ? [] : patterns.map((pattern) => ({ isIn: areIn(pattern), rank: words }) as const)),
  ];
}

export function readIn(text: string): Read {
  const words = wordsOf(text);
  const codes = codesIn(text).flatMap(({ field, value }) => [
    { field, value },
    { field, value: value.replace(/^([45]\.\d)\.\d+$/, '$1.*') },
  ]);
  return { words, eachWord: new Set(words.split(' ')), codes, command: commandIn(text) };
}

function codeIn(code: string, cause: KnownCause): Evidence {
  const [, name, written = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
  const [field, value] = [name === undefined ? null : fieldName(name), written.toLowerCase()];
  const isFor = (stated: string | null) => {
    if (field === null) return FIELDS[cause.kind].test(stated ?? '');
    // Numbers of up to three digits mean nothing without a field.
    return stated === field || (stated === null && !/^\d{1,3}$/.test(value));
  };
  const beside = cause.patterns.map(areIn);
  const isBeside = (read: Read) => beside.length === 0 || beside.some((isPresent) => isPresent(read));
  return {
    isIn: (read) => read.codes.some((code) => code.value === value && isFor(code.field)) && isBeside(read),
    rank: rankOf(value, field, cause),
  };
}

const FIELDS: Readonly<Record<KnownCause['kind'], RegExp>> = {
  any: /^/,
  own: /^(?!smtp$)/,
  smtp: /^(?:|smtp|enhanced|(?:response|smtp|error|status)?code|(?:smtp)?status)$/,
  network: /^(?:shouted|code|errno)$/,
  http: /^(?:|http|(?:http)?status|(?:response|error|(?:http)?status)?code|error)$/,
};

function rankOf(value: string, field: string | null, { kind, broad, patterns }: KnownCause): Evidence['rank'] {
  // Three-digit details (5.7.508) are a vendor's own statuses.
  if (patterns.length > 0 || (kind === 'smtp' && /\.\d{3}$/.test(value))) return 'own';
  if (field === 'command') return 'command';
  if (kind === 'smtp') return value.includes('.') && !broad ? 'status' : 'general';
  if (kind === 'network' || kind === 'http') return broad ? 'http' : kind;
  return broad || (/^[45]\d\d$/.test(value) && field === null) ? 'broad' : 'own';
}

function areIn(pattern: string): Rule['isIn'] {
  const groups = pattern.split(/\s+/).map((group) => group.replaceAll('_', ' ').split('|').map(isIn));
  return (read) => groups.every((group) => group.some((isPresent) => isPresent(read)));
}

/** A phrase that ends in `*` matches longer words, too. */
function isIn(phrase: string): Rule['isIn'] {
  const words = wordsOf(phrase);
  if (phrase.endsWith('*')) return (read) => read.words.includes(words.trimEnd());
  const [, first = ''] = words.split(' ');
  // Few phrases are in the text, and looking up a word is faster than searching for the whole phrase.
  return (read) => read.eachWord.has(first) && read.words.includes(words);
}

const NO_WORDS = /^(?:the|an?)$|[@•]|^\d{1,3}(?:\.\d{1,3}){3}$|\.(?:png|jpe?g|gif|pdf|css|js)$/i;
const NEGATED = /\b(is|are|was|were|do|does|did|has|have|could)nt\b|\b(can)(?:t|not)\b/g;

/** Normalizes spelling, and drops Postfix's "host … said": ` client host not found using zen spamhaus org `. */
function wordsOf(text: string): string {
  const codes = text.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (code) => code.replaceAll('_', ' '));
  const each = codes.replace(/^host \S+ said:|['’‘`]/g, '').split(/[\s<>()[\]",;:]+/);
  const words = each.filter((word) => !NO_WORDS.test(word)).join(' ');
  const plain = words.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return ` ${plain.toLowerCase().replace(NEGATED, '$1$2 not')} `;
}
