import type { Failure, Judgment } from '../failures/judge.ts';
import type { Verdict } from '../failures/verdict.ts';
import { CATALOG } from './catalog.ts';
import type { KnownCause } from './load-causes.ts';
import { parseError, rulesOf } from './rules.ts';

type ErrorToExplain = Pick<Failure, 'provider' | 'channel'> & { cause: { text: string } };

export interface ExplainedCause {
  entry: KnownCause | null;
  provider: string | null;
  statusPage: KnownCause['status'];
}

export type ExplainCause = (error: ErrorToExplain) => ExplainedCause;

const CATALOG_RULES = rulesOf(CATALOG);

/** Whose fault a refusal can't be: before RCPT TO, no recipient is named; at DATA, our sign-in was accepted. */
const NOT_AT_FAULT: Partial<Record<string, KnownCause['whose']>> = {
  auth: 'recipient',
  'mail from': 'recipient',
  data: 'credentials',
};

/** The first rule that fits wins: custom ones come first, then the best evidence. */
export function createExplainCause(custom: readonly KnownCause[] = []): ExplainCause {
  const rules = [...rulesOf(custom), ...CATALOG_RULES];
  return ({ provider, channel, cause: { text } }) => {
    const error = parseError(text);
    const id = provider?.toLowerCase() ?? '';
    const scopes = new Set(['any', `channel ${channel}`, `provider ${id}`]);
    const notAtFault = NOT_AT_FAULT[error.command ?? ''];
    const rule = rules.find(({ scope, cause, isIn }) => scopes.has(scope) && cause.whose !== notAtFault && isIn(error));
    const statusPage = CATALOG.find((cause) => cause.status !== null && cause.providers.includes(id))?.status ?? null;
    return { entry: rule?.cause ?? null, provider, statusPage };
  };
}

export const explainCause = createExplainCause();

export type FailureCauses = ReadonlyMap<Failure, ExplainedCause>;

const NOT_EXPLAINED = new Set<Verdict>(['stuck', 'warning', 'retried-then-fine', 'not-sent', 'skipped-by-design']);

export function failureCauses({ failures }: Judgment, explain: ExplainCause) {
  const explained = failures.filter(({ verdict, isUnexplained }) => !NOT_EXPLAINED.has(verdict) && !isUnexplained);
  return new Map(explained.map((failure) => [failure, explain(failure)]));
}
