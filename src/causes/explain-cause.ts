import type { Failure } from '../judging/failure.ts';
import type { Judgment } from '../judging/judge.ts';
import type { Verdict } from '../judging/verdict.ts';
import { CATALOG } from './catalog.ts';
import { alternativesIn, type ErrorText, parseError, withoutContrast, wordsIn } from './error-text.ts';
import type { KnownCause } from './load-causes.ts';
import { indexRules, type Rank, type Rule, type RuleIndex, rulesFor } from './rules.ts';

type ErrorToExplain = Pick<Failure, 'provider' | 'channel'> & { cause: { text: string } };

export interface ExplainedCause {
  entry: KnownCause | null;
  provider: string | null;
  statusPage: KnownCause['status'];
}

export type ExplainCause = (error: ErrorToExplain) => ExplainedCause;

const CATALOG_INDEX = indexRules(CATALOG);
const STATUS_PAGES = new Map(CATALOG.flatMap(({ providers, status }) => providers.map((id) => [id, status])));
const COMMON = CATALOG.filter(({ common }) => common !== null);

/** These names are words of sentences, too, as many with fewer than six letters are. */
const WORDS = ['bandwidth', 'resend'];
const NAMES = [...STATUS_PAGES.keys()].filter((id) => /^[a-z]{6,}$/.test(id) && !WORDS.includes(id));
const NAMED = new RegExp(`(?<![a-z])(?:${NAMES.join('|')})(?![a-z])`, 'gi');

/** Of a gateway that the catalog doesn't know, those that its text names: "Twilio error 30005". */
const providersIn = (id: string, text: string): string[] =>
  STATUS_PAGES.has(id) ? [id] : [id, ...(text.match(NAMED) ?? []).map((name) => name.toLowerCase())];

/** Rules of these ranks are about what a text says in words, or in a provider's own code. */
const SPOKEN: readonly Rank[] = ['own', 'vendor', 'sentence', 'reply', 'words'];

/** Custom rules come before the catalog's; of those that fit, the best evidence. */
export function createExplainCause(custom: readonly KnownCause[] = []): ExplainCause {
  const indexes = [indexRules(custom), CATALOG_INDEX];
  return ({ provider, channel, cause: { text } }) => {
    const id = provider?.toLowerCase() ?? '';
    const providers = providersIn(id, text).map((name) => `provider ${name}`);
    const scopes = new Set(['any', `channel ${channel}`, ...providers]);
    const read = (words: string): ErrorText => {
      const error = parseError(words);
      return channel === 'email' ? error : { ...error, command: null, reply: null };
    };
    // What is denied before a "but" counts only if nothing after it says a cause.
    const affirmed = withoutContrast(text);
    const affirmedRule = affirmed === null ? null : bestIn(indexes, scopes, read(affirmed));
    const isAffirmed = affirmedRule !== null && SPOKEN.includes(affirmedRule.rank);
    const error = read(isAffirmed && affirmed !== null ? affirmed : text);
    const rule = bestIn(indexes, scopes, error);
    const common = rule && commonEntry(rule, error, (part) => bestIn(indexes, scopes, part));
    const entry = common?.channel === channel ? common : (rule?.cause ?? null);
    return { entry, provider, statusPage: STATUS_PAGES.get(id) ?? null };
  };
}

export const explainCause: ExplainCause = createExplainCause();

function bestIn(indexes: readonly RuleIndex[], scopes: ReadonlySet<string>, error: ErrorText): Rule | null {
  for (const index of indexes) {
    const rules = rulesFor(index, error).filter((rule) => rule.scopes.some((scope) => scopes.has(scope)));
    const possible = rules.filter((rule) => canBeMeant(rule, error));
    const isByCommand = possible.some(({ rank }) => rank === 'command');
    const best = isByCommand ? possible.find((rule) => !saysLessThanCommand(rule, error)) : possible[0];
    if (best !== undefined) return best;
  }
  return null;
}

/** The refused command says more than mere words, and at MAIL FROM more than a rule that doesn't know whose trouble it is. */
function saysLessThanCommand({ rank, cause: { whose } }: Rule, { command }: ErrorText): boolean {
  return rank === 'words' || (whose === 'unknown' && command === 'mail from');
}

/** Returns the owner's common entry if the refusal is only for now, or if the text has two reasons and leaves open which it is. */
function commonEntry(rule: Rule, error: ErrorText, bestOf: (part: ErrorText) => Rule | null): KnownCause | null {
  const commonCause = (kind: KnownCause['common'], owner: KnownCause['whose']) =>
    COMMON.find((cause) => cause.common === kind && cause.whose === owner) ?? null;
  if (isPutOff(rule, error)) return commonCause('put-off', rule.cause.whose);
  const alternatives = rule.rank === 'reply' || rule.rank === 'words' ? alternativesIn(error.words) : null;
  if (alternatives === null) return null;
  const wordless = { ...error, words: wordsIn(''), nameWords: null };
  const causes = alternatives.map((words) => bestOf({ ...wordless, words, codes: [] })?.cause);
  const [first, second] = causes;
  if (first === undefined || second === undefined || first.headline === second.headline) return null;
  if (first.whose === second.whose) return commonCause('either', first.whose);
  if (first.whose !== 'recipient' && second.whose !== 'recipient') return null;
  // The status beside the words can tell which.
  const byStatus = bestOf(wordless)?.cause.headline;
  return causes.find((cause) => cause?.headline === byStatus) ?? commonCause('either', 'unknown');
}

/** Commands before MAIL FROM: of the email, nothing is known yet. */
const BEFORE_EMAIL = ['conn', 'initial connection', 'talk to me', 'ehlo', 'helo', 'auth'];

/** `validation_error`, `MessageRejected` */
const NAME_OF_API = /^(?:[a-z]+(?:_[a-z]+)+|[a-z]{12,})$/;

/** Where a mail server refuses says whose trouble it can't be. */
function canBeMeant({ cause: { whose }, rank }: Rule, { command, reply, codes }: ErrorText): boolean {
  // Words mean what mail servers mean by them only where no API names the error.
  const isOfApi = reply === null && codes.some(({ field, value }) => field !== 'shouted' && NAME_OF_API.test(value));
  if (rank === 'reply' && isOfApi) return false;
  const isBeforeEmail = BEFORE_EMAIL.includes(command ?? '');
  if (whose === 'content') return !isBeforeEmail;
  // At DATA, our login was accepted.
  if (whose === 'credentials') return command !== 'data';
  if (whose !== 'recipient') return true;
  // 421 closes the connection, whomever the command named: only words say that it's because of them.
  if (reply === '421' && rank === 'status') return false;
  return !isBeforeEmail && command !== 'mail from';
}

const FOR_NOW = / (?:temporar\w*|vorubergehend|tijdelijk|временно) /;

/** A 4xx is never final, nor what is temporary: what a rule says for good is only so for now. */
function isPutOff({ cause, rank }: Rule, { reply, words }: ErrorText): boolean {
  const isFinal = cause.whose === 'recipient' && typeof cause.again !== 'number';
  if (!isFinal || rank === 'own' || reply === null) return false;
  return reply.startsWith('4') || FOR_NOW.test(words.text);
}

export type FailureCauses = ReadonlyMap<Failure, ExplainedCause>;

const NOT_EXPLAINED = new Set<Verdict>(['stuck', 'warning', 'retried-then-fine', 'not-sent', 'skipped-by-design']);

export function failureCauses({ failures }: Judgment, explain: ExplainCause): FailureCauses {
  const explained = failures.filter(({ verdict, isUnexplained }) => !NOT_EXPLAINED.has(verdict) && !isUnexplained);
  return new Map(explained.map((failure) => [failure, explain(failure)]));
}
