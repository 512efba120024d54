import type { Failure, Judgement } from '../failures/judge.ts';
import type { Verdict } from '../failures/verdict.ts';
import { CATALOG } from './catalog.ts';
import type { KnownCause } from './load-causes.ts';
import { type Rule, readIn, rulesOf } from './rules.ts';

type ErrorToExplain = Pick<Failure, 'provider' | 'channel'> & { cause: Pick<Failure['cause'], 'text'> };

export interface ExplainedCause {
  entry: KnownCause | null;
  provider: string | null;
  statusPage: KnownCause['status'];
}

export type ExplainCause = (error: ErrorToExplain) => ExplainedCause;

const CATALOG_RULES = rulesOf(CATALOG);

/** By the command that was refused: before RCPT TO a mail server knows no recipient; at DATA it has accepted our sign-in. */
const NOT_AT_FAULT: Partial<Record<string, KnownCause['whose']>> = {
  auth: 'recipient',
  'mail from': 'recipient',
  data: 'credentials',
};

/** The first rule that fits explains an error: custom ones first, then by how much their evidence proves. */
export function createExplainCause(custom: readonly KnownCause[] = []): ExplainCause {
  const rules = [...rulesOf(custom), ...CATALOG_RULES];
  return ({ provider, channel, cause: { text } }) => {
    const read = readIn(text);
    const id = provider?.toLowerCase() ?? '';
    const scopes = new Set(['any', `channel ${channel}`, `provider ${id}`]);
    const notAtFault = NOT_AT_FAULT[read.command ?? ''];
    const canExplain = ({ scope, cause }: Rule) => scopes.has(scope) && cause.whose !== notAtFault;
    const entry = rules.find((rule) => canExplain(rule) && rule.isIn(read))?.cause ?? null;
    const statusPage = CATALOG.find((cause) => cause.status !== null && cause.providers.includes(id))?.status ?? null;
    return { entry, provider, statusPage };
  };
}

export const explainCause: ExplainCause = createExplainCause();

export type FailureCauses = ReadonlyMap<Failure, ExplainedCause>;

const NOT_EXPLAINED = new Set<Verdict>(['stuck', 'warning', 'retried-then-fine', 'not-sent', 'skipped-by-design']);

export function failureCauses({ failures }: Judgement, explain: ExplainCause): FailureCauses {
  const explained = failures.filter(({ verdict, isUnexplained }) => !NOT_EXPLAINED.has(verdict) && !isUnexplained);
  return new Map(explained.map((failure) => [failure, explain(failure)]));
}
