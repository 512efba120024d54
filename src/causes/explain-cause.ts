import type { Failure } from '../failures/failure.ts';
import type { Judgement } from '../failures/judge.ts';
import { fieldName } from '../failures/reason.ts';
import type { Verdict } from '../failures/verdict.ts';
import { CATALOG } from './catalog.ts';
import { codesIn, type FoundCode, LONGEST_READ } from './codes-in.ts';
import type { CauseEntry, KnownCause, PublicPage } from './load-causes.ts';

export interface ErrorToExplain {
  provider: string | null;
  channel: string;
  text: string;
}

export function errorOf(kind: Pick<Failure, 'provider' | 'channel' | 'cause'>): ErrorToExplain {
  return { provider: kind.provider, channel: kind.channel, text: kind.cause.text };
}

export type ExplainedCause =
  | { known: true; entry: CauseEntry; statusPage: PublicPage | null }
  | { known: false; provider: string | null; statusPage: PublicPage | null };

export type ExplainCause = (error: ErrorToExplain) => ExplainedCause;

interface Rule {
  rank: number;
  field: string | null;
  words: string;
  cause: KnownCause;
}

type Rules = { byCode: Map<string, Rule[]>; byText: Rule[] };
type RulesByScope = ReadonlyMap<string, Rules>;

const RANKS = [
  'code with a phrase',
  'own code',
  'enhanced status',
  'network',
  'text',
  'broad code',
  'own status',
  'general status',
  'broad network',
  'http',
] as const;

/** A team's own entries first. In time linear in the text. */
export function createExplainCause(custom: readonly KnownCause[] = []): ExplainCause {
  const ours = byScope(custom);
  return (error) => {
    const codes = codesIn(error.text);
    const text = phraseOf(error.text.slice(0, LONGEST_READ));
    const entry = bestOf(ours, error, codes, text) ?? bestOf(PUBLIC, error, codes, text);
    const statusPage = STATUS_PAGES.get(error.provider?.toLowerCase() ?? '') ?? null;
    return entry === null ? { known: false, provider: error.provider, statusPage } : { known: true, entry, statusPage };
  };
}

const PUBLIC = byScope(CATALOG);
const STATUS_PAGES: ReadonlyMap<string, PublicPage | null> = new Map(
  CATALOG.flatMap(({ providers, status }) => providers.map((provider) => [provider, status] as const)),
);

export const explainCause: ExplainCause = createExplainCause();

function bestOf(
  all: RulesByScope,
  { provider, channel }: ErrorToExplain,
  codes: readonly FoundCode[],
  text: string,
): KnownCause | null {
  const scopes = [`provider ${provider?.toLowerCase() ?? ''}`, `channel ${channel.toLowerCase()}`, 'any'];
  const matches = scopes
    .flatMap((scope) => all.get(scope) ?? [])
    .flatMap(({ byCode, byText }) => [
      ...codes.flatMap((code) => rulesFor(code, byCode).filter((rule) => isFor(rule, code, text))),
      ...byText.filter(({ words }) => isIn(words, text)),
    ]);
  const [first, ...others] = matches;
  return first === undefined ? null : others.reduce((best, rule) => (saysMore(rule, best) ? rule : best), first).cause;
}

function rulesFor({ value }: FoundCode, byCode: Map<string, Rule[]>): readonly Rule[] {
  return byCode.get(value) ?? byCode.get(value.replace(/^([45]\.\d)\.\d+$/, '$1.*')) ?? [];
}

function saysMore(rule: Rule, best: Rule): boolean {
  const isLonger = rule.rank === RANKS.indexOf('text') && rule.words.length > best.words.length;
  return rule.rank < best.rank || (rule.rank === best.rank && isLonger);
}

function rankOf(by: 'code' | 'text', words: string, field: string | null, cause: KnownCause): (typeof RANKS)[number] {
  const { kind, broad, having } = cause;
  if (by === 'code' && having.length > 0) return 'code with a phrase';
  if (kind === 'network' && broad) return 'broad network';
  if (by === 'text') return 'text';
  if (broad) return 'broad code';
  if (kind === 'network' || kind === 'http') return kind;
  if (kind === 'smtp') return words.includes('.') && !words.endsWith('.0.0') ? 'enhanced status' : 'general status';
  return /^[45]\d\d$/.test(words) && field === null ? 'own status' : 'own code';
}

function isFor({ field, words, cause: { kind, having } }: Rule, code: FoundCode, text: string): boolean {
  // Up to three digits mean nothing without a field.
  const isAlone = code.field === null && !/^\d{1,3}$/.test(words);
  if (field === null ? !FIELDS[kind].test(code.field ?? '') : field !== code.field && !isAlone) return false;
  return having.length === 0 || having.some((phrase) => placesOf(phraseOf(phrase), text).length > 0);
}

const FIELDS: Readonly<Record<KnownCause['kind'], RegExp>> = {
  any: /^/,
  own: /^(?!smtp$)/,
  smtp: /^(?:|smtp|enhanced|(?:response|smtp|error|status)?code|(?:smtp)?status)$/,
  network: /^(?:shouted|code|errno)$/,
  http: /^(?:|http|(?:http)?status|(?:response|error|(?:http)?status)?code|error)$/,
};

const CLAUSE = /[.:;,!?()[\]{}"'“”’`>|-]\s?$|\d\s$|^$/;

/** Fewer than four words only at the start of a clause. */
function isIn(phrase: string, text: string): boolean {
  const isLong = phrase.split(' ').length >= 4;
  return placesOf(phrase, text).some((at) => isLong || CLAUSE.test(text.slice(Math.max(0, at - 2), at)));
}

const WORD = /[\p{L}\p{N}_]/u;

function placesOf(phrase: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    if (!WORD.test(text.charAt(at - 1)) && !WORD.test(text.charAt(at + phrase.length))) places.push(at);
  }
  return places;
}

function phraseOf(text: string): string {
  return text.toLowerCase().replace(/[‘’`]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, ' ').trim();
}

function byScope(causes: readonly KnownCause[]): RulesByScope {
  const scopes = new Map<string, Rules>();
  for (const cause of causes) {
    for (const name of scopesOf(cause)) {
      const { byCode, byText }: Rules = scopes.get(name) ?? { byCode: new Map(), byText: [] };
      scopes.set(name, { byCode, byText });
      for (const rule of codeRules(cause)) byCode.set(rule.words, [...(byCode.get(rule.words) ?? []), rule]);
      byText.push(...cause.texts.map((text) => ruleOf('text', phraseOf(text), null, cause)));
    }
  }
  return scopes;
}

function ruleOf(by: 'code' | 'text', words: string, field: string | null, cause: KnownCause): Rule {
  return { rank: RANKS.indexOf(rankOf(by, words, field, cause)), field, words, cause };
}

function scopesOf({ providers, channel }: KnownCause): readonly string[] {
  if (providers.length > 0) return providers.map((provider) => `provider ${provider.toLowerCase()}`);
  return [channel === null ? 'any' : `channel ${channel.toLowerCase()}`];
}

function codeRules(cause: KnownCause): Rule[] {
  return cause.codes.map((code) => {
    const [, field, value = code] = /^([A-Za-z][\w -]*)=(.+)/.exec(code) ?? [];
    return ruleOf('code', value.toLowerCase(), field === undefined ? null : fieldName(field), cause);
  });
}

export type FailureCauses = ReadonlyMap<Failure, ExplainedCause>;

const EXPLAINED: ReadonlySet<Verdict> = new Set([
  ...(['failed', 'partly-failed', 'bounced', 'complained', 'unsubscribed', 'undeliverable'] as const),
]);

/** Nothing explains what nobody gave a reason for. */
export function failureCauses({ failures }: Judgement, explain: ExplainCause): FailureCauses {
  const explained = failures.filter(({ verdict, isUnexplained }) => EXPLAINED.has(verdict) && !isUnexplained);
  return new Map(explained.map((failure) => [failure, explain(errorOf(failure))]));
}
