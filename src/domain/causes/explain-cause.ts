import { fieldName } from '../failures/answer.ts';
import type { Group } from '../failures/failure.ts';
import { CATALOGUES } from './catalogues.ts';
import { codesIn, codesInAnswer, type FoundCode, LONGEST_READ } from './codes-in.ts';
import { type CauseEntry, type CodeKind, listed, type PublicPage, type Recognized, type Scope } from './entry.ts';
import { statusPageOf } from './status-pages.ts';

/** An error as worded by the service or a provider, already scrubbed. */
export interface ErrorToExplain {
  /** The provider's ID; null if unknown. */
  readonly provider: string | null;
  /** The step's type: email, sms, … */
  readonly channel: string;
  /** The cause's sentence, with the provider's code, if any, in brackets (`causeOf`). */
  readonly text: string;
  /** The provider's whole response, if available. */
  readonly raw?: string | null;
}

/** Returns the error that all failures of a group share. */
export function errorOf({ provider, channel, cause }: Pick<Group, 'provider' | 'channel' | 'cause'>): ErrorToExplain {
  return { provider, channel, text: cause.text };
}

export type ExplainedCause =
  | { readonly known: true; readonly entry: CauseEntry }
  | { readonly known: false; readonly provider: string | null; readonly statusPage: PublicPage | null };

export type ExplainCause = (error: ErrorToExplain) => ExplainedCause;

/** An entry written by a team (`NOTIF_CAUSES_FILE`). */
export interface OwnCause extends CauseEntry {
  /** Null: any. */
  readonly provider: string | null;
  readonly channel: string | null;
  readonly codes: readonly string[];
  readonly texts: readonly string[];
}

/** The codes of a team's entry can be of any kind. */
type RuleKind = CodeKind | 'any';

/** One of an entry's codes or texts. */
interface Rule {
  readonly by: 'code' | 'text';
  readonly kind: RuleKind;
  /** The field that must have the code; null: any. */
  readonly field: string | null;
  /** A code in lowercase, or a phrase as returned by `phraseOf`. */
  readonly words: string;
  /** Phrases of which the text must contain one besides the code; empty for none. */
  readonly having: readonly string[];
  /** Whether many errors share the code, so that any matching text is more specific. */
  readonly isBroad: boolean;
  readonly entry: CauseEntry;
}

interface Rules {
  readonly byCode: ReadonlyMap<string, readonly Rule[]>;
  readonly byText: readonly Rule[];
}

/** Rules by the name of their scope: 'provider sendgrid', 'channel email', 'any'. */
type RulesByScope = ReadonlyMap<string, Rules>;

/** The lower the rank, the more specific the match. An HTTP status is the least specific, since many errors share it. */
const RANK = {
  'code with a phrase': 0,
  'own code': 1,
  'enhanced status': 2,
  network: 3,
  text: 4,
  'broad code': 5,
  'own status': 6,
  'general status': 7,
  'broad network': 8,
  http: 9,
} as const;

/** A phrase this long is recognized anywhere; a shorter one only at the start of a clause. */
const LONG_PHRASE = 4;
const CLAUSE = /[.:;,!?()[\]{}"'“”’`>|-]\s?$|\d\s$|^$/;

const PUBLIC: RulesByScope = byScope(
  CATALOGUES.flatMap(({ scope, codes, entries }) =>
    namesOf(scope).map((name) => ({ name, rules: entries.flatMap((entry) => rulesOf(entry, codes)) })),
  ),
);

/**
 * Makes the function that explains errors: a team's own entries come first, then the public catalog. Each is matched by code, then by text;
 * an unmatched error is unknown, with the provider's status page. Reads 2,000 characters of the text and 8,000 of the response, in time
 * linear in them.
 */
export function createExplainCause(own: readonly OwnCause[] = []): ExplainCause {
  const ours = byScope(own.map((cause) => ({ name: ownScope(cause), rules: ownRules(cause) })));
  return (error) => {
    const codes = [...codesIn(error.text), ...(error.raw ? codesInAnswer(error.raw) : [])];
    const text = phraseOf(error.text.slice(0, LONGEST_READ));
    const entry = bestOf(ours, error, codes, text) ?? bestOf(PUBLIC, error, codes, text);
    if (entry !== null) return { known: true, entry };
    return { known: false, provider: error.provider, statusPage: statusPageOf(error.provider) };
  };
}

/** Explains an error by the public catalog only. */
export const explainCause: ExplainCause = createExplainCause();

function bestOf(
  all: RulesByScope,
  error: ErrorToExplain,
  codes: readonly FoundCode[],
  text: string,
): CauseEntry | null {
  const scopes = [`provider ${error.provider?.toLowerCase() ?? ''}`, `channel ${error.channel.toLowerCase()}`, 'any'];
  const matches = scopes
    .flatMap((scope) => all.get(scope) ?? [])
    .flatMap(({ byCode, byText }) => [
      ...codes.flatMap((code) =>
        (byCode.get(code.value) ?? []).filter((rule) => isFor(rule, code, text) && !isOwnNumber(rule, error)),
      ),
      ...byText.filter(({ words }) => isIn(words, text)),
    ]);
  return (
    matches.reduce<Rule | null>((best, rule) => (best === null || saysMore(rule, best) ? rule : best), null)?.entry ??
    null
  );
}

/** Of two texts the longer is more specific; of two codes of a kind, the first found. */
function saysMore(rule: Rule, best: Rule): boolean {
  const [rank, bestRank] = [rankOf(rule), rankOf(best)];
  return rank < bestRank || (rank === bestRank && rank === RANK.text && rule.words.length > best.words.length);
}

function rankOf({ by, kind, words, having, field, isBroad }: Rule): number {
  if (having.length > 0) return RANK['code with a phrase'];
  if (kind === 'network' && isBroad) return RANK['broad network'];
  if (by === 'text') return RANK.text;
  if (isBroad) return RANK['broad code'];
  if (kind === 'network') return RANK.network;
  if (kind === 'http') return RANK.http;
  if (kind === 'smtp')
    return words.includes('.') && !words.endsWith('.0.0') ? RANK['enhanced status'] : RANK['general status'];
  return /^[45]\d\d$/.test(words) && field === null ? RANK['own status'] : RANK['own code'];
}

/** Returns whether a found code is the rule's. A field that the entry names must match; one or two digits mean nothing without a field. */
function isFor(rule: Rule, code: FoundCode, text: string): boolean {
  if (!(rule.field === null ? FIELDS[rule.kind](code) : rule.field === code.field)) return false;
  return rule.having.length === 0 || rule.having.some((phrase) => placesOf(phrase, text).length > 0);
}

/** Providers whose own numbers look like HTTP statuses: a 403 of Africa's Talking is an invalid phone number, a 401 of seven, a long text. */
const OWN_NUMBERS: ReadonlySet<string | null> = new Set(['africas-talking', 'sms77']);

function isOwnNumber({ kind }: Rule, { provider }: ErrorToExplain): boolean {
  return kind === 'http' && OWN_NUMBERS.has(provider);
}

const HTTP_FIELDS = new Set([
  null,
  'code',
  'status',
  'statuscode',
  'httpstatus',
  'httpstatuscode',
  'responsecode',
  'http',
  'error',
  'errorcode',
]);
const SMTP_FIELDS = new Set([
  null,
  'smtp',
  'enhanced',
  'code',
  'responsecode',
  'status',
  'smtpstatus',
  'smtpcode',
  'errorcode',
  'statuscode',
]);

/** Where a code of each kind can occur if its entry names no field. */
const FIELDS: { readonly [K in RuleKind]: (code: FoundCode) => boolean } = {
  any: () => true,
  own: ({ field }) => field !== 'smtp',
  smtp: ({ field }) => SMTP_FIELDS.has(field),
  network: ({ field }) => field === 'shouted' || field === 'code' || field === 'errno',
  http: ({ field }) => HTTP_FIELDS.has(field),
};

function isIn(phrase: string, text: string): boolean {
  const isLong = phrase.split(' ').length >= LONG_PHRASE;
  return placesOf(phrase, text).some((at) => isLong || CLAUSE.test(text.slice(Math.max(0, at - 2), at)));
}

/** Returns where a text has a phrase as whole words: 'spam' isn't in 'spamhaus'. */
function placesOf(phrase: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + phrase.length])) places.push(at);
  }
  return places;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** Normalizes a text for comparison: lowercase, one kind of quotes, single spaces. */
function phraseOf(text: string): string {
  return text.toLowerCase().replace(/[‘’`]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, ' ').trim();
}

function byScope(groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]): RulesByScope {
  const names = new Set(groups.map(({ name }) => name));
  return new Map(
    [...names].map((name) => [name, indexed(groups.flatMap((group) => (group.name === name ? group.rules : [])))]),
  );
}

function indexed(rules: readonly Rule[]): Rules {
  const byCode = new Map<string, Rule[]>();
  for (const rule of rules.filter(({ by }) => by === 'code')) {
    byCode.set(rule.words, [...(byCode.get(rule.words) ?? []), rule]);
  }
  return { byCode, byText: rules.filter(({ by }) => by === 'text') };
}

function namesOf(scope: Scope): readonly string[] {
  if (scope === 'any') return ['any'];
  return 'providers' in scope
    ? scope.providers.map((provider) => `provider ${provider}`)
    : [`channel ${scope.channel}`];
}

function rulesOf({ code, text, having, isBroad = false, ...entry }: Recognized & CauseEntry, kind: RuleKind): Rule[] {
  return [
    ...listed(code).map((words) => codeRule(words, { kind, having: listed(having).map(phraseOf), isBroad, entry })),
    ...listed(text).map((words) => textRule(words, { kind, isBroad, entry })),
  ];
}

/** Parses 'errcode=6' as the code 6 in the field errcode, which can also be spelled as in an answer: 'errorCode', 'error_code'. */
function codeRule(code: string, rest: Pick<Rule, 'kind' | 'having' | 'isBroad' | 'entry'>): Rule {
  const [, field, value = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
  return { ...rest, by: 'code', field: field === undefined ? null : fieldName(field), words: value.toLowerCase() };
}

function textRule(text: string, rest: Pick<Rule, 'kind' | 'isBroad' | 'entry'>): Rule {
  return { ...rest, by: 'text', field: null, words: phraseOf(text), having: [] };
}

function ownScope({ provider, channel }: OwnCause): string {
  if (provider !== null) return `provider ${provider.toLowerCase()}`;
  return channel === null ? 'any' : `channel ${channel.toLowerCase()}`;
}

function ownRules({ codes, texts, provider: _provider, channel: _channel, ...entry }: OwnCause): Rule[] {
  return rulesOf({ ...entry, code: codes, text: texts }, 'any');
}
