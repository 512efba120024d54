import type { ExplainCause } from '../causes/explain-cause.ts';
import type { Traffic } from '../failures/labels.ts';
import type { Ctx } from '../lib/ctx.ts';
import type { EventReader } from '../service/operations.ts';

export interface PollingCtx extends Ctx {
  serviceOf: (environment: string) => EventReader;
  explainCause: ExplainCause;
  pollMs: number;
  horizonMs: number;
  traffic: Traffic;
}
