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

/** By what a rule says, not by its length: a provider's own code or text first, a mail server's words, its status, … */
const RANKS = ['own', 'reply', 'status', 'network', 'words', 'broad', 'command', 'general', 'http'] as const;

type Evidence = Pick<Rule, 'isIn'> & { rank: (typeof RANKS)[number] };

/** Those that say most first. */
export function rulesOf(causes: readonly KnownCause[]): readonly Rule[] {
  const rules = causes.flatMap((cause) =>
    scopesOf(cause).flatMap((scope) =>
      evidenceOf(cause).map(({ isIn, rank }) => ({ scope, rank: RANKS.indexOf(rank), isIn, cause })),
    ),
  );
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
  const isFor = (found: string | null) => {
    if (field === null) return FIELDS[cause.kind].test(found ?? '');
    // Up to three digits mean nothing without a field.
    return found === field || (found === null && !/^\d{1,3}$/.test(value));
  };
  const beside = cause.patterns.map(areIn);
  const isBeside = (read: Read) => beside.length === 0 || beside.some((areFound) => areFound(read));
  return {
    isIn: (read) => read.codes.some((found) => found.value === value && isFor(found.field)) && isBeside(read),
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
  // Statuses of three digits are a vendor's own.
  if (patterns.length > 0 || (kind === 'smtp' && /\.\d{3}$/.test(value))) return 'own';
  if (field === 'command') return 'command';
  if (kind === 'smtp') return value.includes('.') && !broad ? 'status' : 'general';
  if (kind === 'network' || kind === 'http') return broad ? 'http' : kind;
  return broad || (/^[45]\d\d$/.test(value) && field === null) ? 'broad' : 'own';
}

function areIn(pattern: string): Rule['isIn'] {
  const groups = pattern.split(/\s+/).map((group) => group.replaceAll('_', ' ').split('|').map(isIn));
  return (read) => groups.every((group) => group.some((found) => found(read)));
}

/** A phrase that ends in `*` may go on. */
function isIn(phrase: string): Rule['isIn'] {
  const words = wordsOf(phrase);
  if (phrase.endsWith('*')) return (read) => read.words.includes(words.trimEnd());
  const [, first = ''] = words.split(' ');
  // Most words aren't in the text: looking for the first is faster than searching the text for all.
  return (read) => read.eachWord.has(first) && read.words.includes(words);
}

/** Articles, addresses and names of files. */
const NO_WORDS = /^(?:the|an?)$|[@•]|^\d{1,3}(?:\.\d{1,3}){3}$|\.(?:png|jpe?g|gif|pdf|css|js)$/i;
const NEGATED = /\b(is|are|was|were|do|does|did|has|have|could)nt\b|\b(can)(?:t|not)\b/g;

/** ` client host not found using zen spamhaus org `, without Postfix's "host … said" and in one spelling of "not". */
function wordsOf(text: string): string {
  const codes = text.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (code) => code.replaceAll('_', ' '));
  const parts = codes.replace(/^host \S+ said:|['’‘`]/g, '').split(/[\s<>()[\]",;:]+/);
  const words = parts.filter((part) => !NO_WORDS.test(part)).join(' ');
  const plain = words.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return ` ${plain.toLowerCase().replace(NEGATED, '$1$2 not')} `;
}
