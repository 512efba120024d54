import { fieldName } from '../failures/reason.ts';
import type { KnownCause } from './load-causes.ts';

/** The strongest comes first (docs/causes.md). */
const RANKS = ['own', 'reply', 'status', 'network', 'words', 'broad', 'named', 'command', 'general', 'http'] as const;

type Evidence = { rank: (typeof RANKS)[number]; isIn: (error: Parsed) => boolean };

export function rulesOf(causes: readonly KnownCause[]) {
  const rules = causes.flatMap((cause) => {
    const { providers, channel } = cause;
    const place = channel === null ? 'any' : `channel ${channel}`;
    const scopes = providers.length > 0 ? providers.map((provider) => `provider ${provider}`) : [place];
    return evidenceOf(cause).flatMap((evidence) => scopes.map((scope) => ({ scope, cause, ...evidence })));
  });
  return rules.toSorted((a, b) => RANKS.indexOf(a.rank) - RANKS.indexOf(b.rank));
}

function evidenceOf(cause: KnownCause) {
  const { kind, broad, codes, texts, patterns } = cause;
  const textRank = kind === 'own' ? 'own' : kind === 'network' && broad ? 'http' : 'words';
  const patternRank = kind === 'smtp' ? 'reply' : 'words';
  return [
    ...codes.map((code) => codeIn(code, cause)),
    ...texts.map((phrase) => ({ isIn: phraseIn(phrase), rank: textRank }) as const),
    ...(codes.length > 0 ? [] : patterns.map(patternIn)).flatMap((isPresent) => [
      { isIn: isPresent, rank: patternRank } as const,
      { isIn: ({ nameWords }: Parsed) => nameWords !== null && isPresent(nameWords), rank: 'named' } as const,
    ]),
  ];
}

function codeIn(code: string, cause: KnownCause): Evidence {
  const [, name, written = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
  const [field, value] = [name === undefined ? null : fieldName(name), written.toLowerCase()];
  const isFor = (stated: string | null) => {
    if (field === null) return FIELDS[cause.kind].test(stated ?? '');
    // Up to three digits mean nothing without a field.
    return stated === field || (stated === null && !/^\d{1,3}$/.test(value));
  };
  const beside = cause.patterns.length === 0 ? [() => true] : cause.patterns.map(patternIn);
  return {
    isIn: (error) =>
      error.codes.some((code) => code.value === value && isFor(code.field)) &&
      beside.some((isPresent) => isPresent(error)),
    rank: rankOf(value, field, cause),
  };
}

/** Fields that a kind's codes have; '' is none. */
const FIELDS: Readonly<Record<KnownCause['kind'], RegExp>> = {
  any: /^/,
  own: /^(?!smtp$)/,
  smtp: /^(?:|smtp|enhanced|(?:response|smtp|error|status)?code|(?:smtp)?status)$/,
  network: /^(?:shouted|code|errno)$/,
  http: /^(?:|http|smtp|(?:http)?status|(?:response|error|(?:http)?status)?code|error)$/,
};

function rankOf(value: string, field: string | null, { kind, broad, patterns }: KnownCause): Evidence['rank'] {
  // Three-digit details (5.7.508) are a vendor's own statuses.
  if (patterns.length > 0 || (kind === 'smtp' && /\.\d{3}$/.test(value))) return 'own';
  if (field === 'command') return 'command';
  if (kind === 'smtp') return value.includes('.') && !broad ? 'status' : 'general';
  if (kind === 'network' || kind === 'http') return broad ? 'http' : kind;
  return broad || (/^[45]\d\d$/.test(value) && field === null) ? 'broad' : 'own';
}

function patternIn(pattern: string): (error: Words) => boolean {
  const groups = pattern.split(/\s+/).map((group) => group.replaceAll('_', ' ').split('|').map(phraseIn));
  return (error) => groups.every((group) => group.some((isPresent) => isPresent(error)));
}

/** A phrase that ends in `*` matches longer words, too. */
function phraseIn(phrase: string): (error: Words) => boolean {
  const words = phrase.endsWith('*') ? wordsOf(phrase).trimEnd() : wordsOf(phrase);
  const [, first = '', next] = words.split(' ');
  if (next === undefined) return (error) => error.words.includes(words);
  return (error) => error.wordSet.has(first) && error.words.includes(words);
}

export const LONGEST_READ = 2_000;
const MOST_CODES = 60;

type Parsed = ReturnType<typeof parseError>;

export function parseError(error: string) {
  const text = error.slice(0, LONGEST_READ).replace(PYTHON_REPLY, '$1 ').replace(DOTNET_REPLY, 'said: 550');
  const codes = codesIn(text).flatMap((code) => [
    code,
    { ...code, value: code.value.replace(/^([45]\.\d)\.\d+$/, '$1.*') },
  ]);
  const nameWords = text.search(NAME_SEAMS) < 0 ? null : wordsIn(text.replaceAll(NAME_SEAMS, ' '));
  return { ...wordsIn(text), nameWords, codes, command: commandIn(text) };
}

/** Python's `(550, b'5.1.1 …')`; .NET's words for any 55x. */
const PYTHON_REPLY = /\b([245]\d\d), b?["']/g;
const DOTNET_REPLY =
  /\b(?:Mailbox (?:unavailable|name not allowed)|Exceeded storage allocation|Transaction failed)\. The server response was:/;

type Words = ReturnType<typeof wordsIn>;

function wordsIn(text: string) {
  const words = wordsOf(text);
  return { words, wordSet: new Set(words.split(' ')) };
}

const NO_WORDS = /^(?:the|an?)$|[@•]|^\d{1,3}(?:\.\d{1,3}){3}$|\.(?:png|jpe?g|gif|pdf|css|js)$/i;
/** Names with fewer words may be a variable's. */
const SNAKE_CASE = /\b(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z][a-z]+(?:_[a-z]+){2,}|[a-z]+(?:_[a-z]+){3,})\b/g;
/** Between words of InvalidPhoneNumber and, at a text's beginning, of invalid_phone_number. */
const NAME_SEAMS = /(?<=[a-z])(?=[A-Z][a-z])|(?<=^[a-z_]{1,60})_(?=[a-z])/g;
const NEGATED = /\b(is|are|was|were|do|does|did|has|have|could)nt\b|\b(can)(?:t|not)\b/g;

/** Normalizes spelling, drops Postfix's "host … said": ` client host not found using zen spamhaus org `. */
function wordsOf(text: string) {
  const codes = text.replace(SNAKE_CASE, (code) => code.replaceAll('_', ' '));
  const tokens = codes.replace(/^host \S+ said:|['’‘`]/g, '').split(/[\s<>()[\]",;:]+/);
  const words = tokens.filter((word) => !NO_WORDS.test(word)).join(' ');
  const plain = words.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return ` ${plain.toLowerCase().replace(NEGATED, '$1$2 not')} `;
}

/** Labels of an error or an answer: "failed with code", not "discount code". */
const LABEL = [
  '(?<![\\p{L}\\p{N}_-])(?<field>(?:error|err|status|response|reply|result|http)[ _-]?(?:code|status|error|errno|http|class)',
  'error|errno|http|occurred',
  '(?<![\\p{L}\\p{N}](?<!\\b(?:with|the|an?|its|by|was|got|failed|returned|carrier|provider)) )(?:code|status|class|reason|type|name))["\'`]?',
].join('|');
const STATUS = '[245]\\.\\d{1,3}\\.\\d{1,3}(?![\\d.]*\\d)';
const BEFORE_STATUS =
  '(?<![\\d.])[245]\\d\\d[ -]#?|^|[Ss]tatus[:=]?\\s?|[Ff]ailed[;,]\\s?|dsn[:=]\\s?|smtp;\\s?|\\(#?|\\[#?|\\s#';
const BEFORE_WORDS = '(?![ -]#?[245]\\.\\d)(?=[ -][\\p{Lu}\\d<[#"\']|(?<=^\\d{3})$)';
const BEFORE_REPLY =
  '(?:[Ss](?:mtp|MTP|aid|ent|erver)|[Ff]ail(?:ed|ure)|[Ee]rror|[Rr](?:ejected|esponse|eply)|[Ll]ogin)[:;]\\s?';

const PLACES: readonly (readonly [place: RegExp, field: string | null])[] = [
  [RegExp(`${LABEL}(?:\\s?[:=#>]\\s?|\\s)["'\`(#]{0,2}(?<value>\\d{1,6})(?![\\p{L}\\p{N}_]|[.:,]\\d)`, 'giu'), null],
  [RegExp(`${LABEL}\\s?[:=]\\s?["'\`(]{0,2}(?<value>\\p{L}[\\p{L}\\p{N}_./-]{2,60})`, 'giu'), null],
  [/\((?=[^()\s]{2,80}\))(?:(?<field>[A-Za-z]{2,40})=)?(?<value>[^()\s]+)\)(?=\s*(?:$|[.;:,](?:\s|$)))/g, null],
  [/\b(?:undelivered|failed|rejected|blocked) \((?<value>\d{4,6})\)/g, null],
  [/^(?:\[(?=[^[\]\s]{2,60}\])|(?=[45]\d\d: \p{Lu}))(?<value>[^[\]\s:]{2,60})/gu, null],
  [/^[45]\d\d\s+(?<value>[a-z_]{4,60})\s*$/gi, null],
  [/^(?!\d{1,3}(?![\p{L}\d_./-]))(?<value>[\p{L}\d][\p{L}\d_./-]{2,60})(?=\s*(?:$|[:(]|[-–—]\s|\.\s*$))/gu, null],
  [/(?::|=> [45]\d\d|\b(?:reason|response)) ["'`]?(?<value>(?:[A-Z][a-z]+){2,8}|[a-z]+(?:_[a-z]+)+)["'`]?\.?$/g, null],
  [/(?:\(#(?=\d+\))|\/errors\/(?=\d{4}))(?<value>\d{1,6})(?!\d)/g, 'code'],
  [/(?<![\p{L}\p{N}_.-])(?<value>E[A-Z][A-Z0-9]{2,20}|[A-Z]{3,}(?:_[A-Z0-9]+){1,6})(?![\p{L}\p{N}_-])/gu, 'shouted'],
  [RegExp(`(?:${BEFORE_STATUS})(?<value>${STATUS})(?!\\.?[\\p{L}-])`, 'gu'), 'enhanced'],
  [RegExp(`(?<![\\d.])(?<value>[245]\\d\\d)(?=[ -]#?${STATUS})`, 'g'), 'smtp'],
  [RegExp(`(?:^|${BEFORE_REPLY})["'\`(]?(?<value>[245]\\d\\d)${BEFORE_WORDS}`, 'gu'), 'smtp'],
];

const COMMAND =
  /\b(?:(?:in reply to|after|while sending|refused)(?: end of| to)? |(?=mail from(?: command)? failed))(talk to me|mail from|rcpt to|data|auth|ehlo|helo|conn|initial connection)\b/i;

/** `field` comes from `fieldName`; it's null for a code that stands alone. */
export function codesIn(text: string) {
  const read = text.trim();
  const codes = PLACES.flatMap(([place, field]) =>
    [...read.matchAll(place)].map(({ groups = {} }) => {
      const { field: named, value = '' }: Partial<Record<string, string>> = groups;
      return {
        field: named === undefined ? field : fieldName(named),
        value: value.toLowerCase().replace(/[./-]+$/, ''),
      };
    }),
  );
  const isRefused = codes.some(({ field, value }) => /^(?:smtp|enhanced)$/.test(field ?? '') && value.startsWith('5'));
  const command = isRefused ? commandIn(read) : null;
  return [...codes.slice(0, MOST_CODES), ...(command === null ? [] : [{ field: 'command', value: command }])];
}

const commandIn = (text: string) => COMMAND.exec(text)?.[1]?.toLowerCase() ?? null;
