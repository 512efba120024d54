import { causeOf } from '../failures/cause.ts';
import type { Judgement, StepJudgement } from '../failures/judge.ts';
import type { Verdict } from '../failures/verdict.ts';
import type { ExplainCause, ExplainedCause } from './explain-cause.ts';

export type StepCauses = ReadonlyMap<string, ExplainedCause>;

const EXPLAINED: ReadonlySet<Verdict> = new Set(['failed', 'bounced', 'undeliverable']);

/** The last error of each step that failed, bounced or was undeliverable; its last warning if there is no error. */
export function stepCauses({ steps }: Pick<Judgement, 'steps'>, explain: ExplainCause): StepCauses {
  return new Map(
    steps.flatMap((step) => {
      const cause = causeOfStep(step, explain);
      return cause === null ? [] : [[step.job.id, cause] as const];
    }),
  );
}

type Step = StepJudgement['job'];

function explainedDetail({ details }: Step): Step['details'][number] | undefined {
  const last = (wanted: string) => details.findLast(({ status }) => status === wanted);
  return last('Failed') ?? last('Warning');
}

function causeOfStep({ job, verdict }: StepJudgement, explain: ExplainCause): ExplainedCause | null {
  const detail = explainedDetail(job);
  if (detail === undefined || !EXPLAINED.has(verdict)) return null;
  return explain({
    provider: detail.provider ?? job.provider,
    channel: job.type,
    text: causeOf(detail).text,
  });
}
