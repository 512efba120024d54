import type { Failure } from '../failures/failure.ts';
import type { Judgement } from '../failures/judge.ts';
import type { Verdict } from '../failures/verdict.ts';
import { CATALOG } from './catalog.ts';
import { LONGEST_READ } from './codes-in.ts';
import type { CauseEntry, KnownCause, PublicPage } from './load-causes.ts';
import { byScope, type Read, type RulesByScope, readIn, rulesFor } from './rules.ts';

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

/** A team's own entries first. In time linear in the text. */
export function createExplainCause(custom: readonly KnownCause[] = []): ExplainCause {
  const ours = byScope(custom);
  return (error) => {
    const read = readIn(error.text.slice(0, LONGEST_READ));
    const entry = bestOf(ours, error, read) ?? bestOf(PUBLIC, error, read);
    const statusPage = STATUS_PAGES.get(error.provider?.toLowerCase() ?? '') ?? null;
    return entry === null ? { known: false, provider: error.provider, statusPage } : { known: true, entry, statusPage };
  };
}

const PUBLIC = byScope(CATALOG);
const STATUS_PAGES: ReadonlyMap<string, PublicPage | null> = new Map(
  CATALOG.flatMap(({ providers, status }) => providers.map((provider) => [provider, status] as const)),
);

export const explainCause: ExplainCause = createExplainCause();

function bestOf(all: RulesByScope, { provider, channel }: ErrorToExplain, read: Read): KnownCause | null {
  const scopes = [`provider ${provider?.toLowerCase() ?? ''}`, `channel ${channel.toLowerCase()}`, 'any'];
  // A mail server knows no recipient before RCPT TO.
  const isBeforeRecipient = ['auth', 'mail from'].includes(read.command ?? '');
  const [first, ...others] = scopes
    .flatMap((scope) => all.get(scope) ?? [])
    .flatMap(({ byCode, byText }) => [...read.codes.flatMap((code) => rulesFor(code, byCode)), ...byText])
    .filter(({ cause, isIn }) => !(isBeforeRecipient && cause.whose === 'recipient') && isIn(read));
  return first === undefined ? null : others.reduce((best, rule) => (rule.rank < best.rank ? rule : best), first).cause;
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
