import { whyOf } from '../service/problem-words.ts';
import { ServiceError, type ServiceProblem } from '../service/service-error.ts';
import type { FailedWrite } from './try-write.ts';

/** What becomes of a batch whose write brought no results. */
export type BatchFate =
  /** The service refuses its only event. */
  | { is: 'refused'; why: string }
  /** It waits, and goes in smaller batches. */
  | { is: 'halved'; batchSize: number }
  /** It waits. A refusal counts towards the end of the sending; null: the problem ends by itself. */
  | { is: 'put-back'; refusal: string | null }
  /** It is looked for. In a batch it's nobody's try: a single event may be the reason. */
  | { is: 'unanswered'; why: string; countsAsTry: boolean };

const TOO_LARGE = 413;

const LASTING_PROBLEMS: readonly ServiceProblem['kind'][] = ['refused', 'key-refused', 'beyond-plan'];

export function fateOf({ is, error }: FailedWrite, batchLength: number): BatchFate {
  const problem = error instanceof ServiceError ? error.problem : null;
  const why = problem === null ? 'something went wrong in Notif itself' : whyOf(problem);
  const isAlone = batchLength === 1;
  if (is === 'unknown') return { is: 'unanswered', why, countsAsTry: isAlone };
  if (problem === null) return { is: 'put-back', refusal: why };
  if (problem.kind === 'refused' && isAlone) return { is: 'refused', why };
  if (problem.kind === 'refused' && problem.status === TOO_LARGE)
    return { is: 'halved', batchSize: Math.ceil(batchLength / 2) };
  return { is: 'put-back', refusal: LASTING_PROBLEMS.includes(problem.kind) ? why : null };
}
