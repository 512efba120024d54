import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Traffic } from '../failures/labels.ts';
import type { EventReader } from '../service/operations.ts';
import type { Ctx } from '../store/ctx.ts';

export interface PollingCtx extends Ctx {
  serviceOf: (environment: string) => EventReader;
  explainCause: ExplainCause;
  pollMs: number;
  horizonMs: number;
  traffic: Traffic;
}
