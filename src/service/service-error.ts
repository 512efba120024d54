import { z } from 'zod';

export const ServiceProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), status: z.number(), message: z.string() }),
  z.object({ kind: z.literal('key-refused'), status: z.number(), message: z.string().exactOptional() }),
  /** 402: the plan's retention or limits. */
  z.object({ kind: z.literal('beyond-plan'), message: z.string() }),
  z.object({ kind: z.literal('rate-limited'), retryAfterMs: z.number() }),
  z.object({ kind: z.literal('service-error'), status: z.number(), errorId: z.string().nullable() }),
  z.object({ kind: z.literal('gateway'), status: z.number() }),
  z.object({ kind: z.literal('unreadable'), status: z.number(), wrong: z.string().nullable() }),
  z.object({ kind: z.enum(['timed-out', 'busy']) }),
  /** Its events are another environment's, which is known by the name `namesake`; null: by none. */
  z.object({ kind: z.literal('other-environment'), namesake: z.string().nullable() }),
  z.object({ kind: z.literal('unreachable'), code: z.string().nullable().exactOptional() }),
]);
export type ServiceProblem = z.output<typeof ServiceProblem>;

const ABOUT_NO_REQUEST: readonly string[] = ['key-refused', 'rate-limited', 'busy', 'other-environment'];

export function mayBeAboutTheRequest(problem: ServiceProblem): boolean {
  return problem.kind === 'gateway' ? problem.status >= 500 : !ABOUT_NO_REQUEST.includes(problem.kind);
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly environment: string;
  readonly operation: string;
  readonly problem: ServiceProblem;
  readonly outcomeUnknown: boolean;

  constructor(
    environment: string,
    operation: string,
    problem: ServiceProblem,
    { cause, outcomeUnknown = false }: { cause?: unknown; outcomeUnknown?: boolean } = {},
  ) {
    super(`${operation} in ${environment}: ${problem.kind}`, { cause });
    this.environment = environment;
    this.operation = operation;
    this.problem = problem;
    this.outcomeUnknown = outcomeUnknown;
  }

  reworded(change: (message: string) => string): ServiceError {
    const { environment, operation, problem, cause, outcomeUnknown } = this;
    if (!('message' in problem) || problem.message === undefined) return this;
    const changed = { ...problem, message: change(problem.message) };
    return new ServiceError(environment, operation, changed, { cause, outcomeUnknown });
  }
}

export function orServiceError<Result>(answer: Promise<Result>): Promise<ServiceError | Result> {
  return answer.catch((error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  });
}
