import { z } from 'zod';
import type { ServiceProblem } from '../lib/errors.ts';

type Why = ServiceProblem['kind'] | 'not-found';
const Why = z.custom<Why>((why) => typeof why === 'string');

export const ChangeOutcome = z.discriminatedUnion('is', [
  z.object({ is: z.enum(['begun', 'done', 'unknown']) }),
  z.object({ is: z.literal('sent'), accepted: z.number(), refused: z.number() }),
  /** It is a code, since the service's message may quote what was typed. */
  z.object({ is: z.literal('refused'), why: Why }),
]);
export type ChangeOutcome = z.output<typeof ChangeOutcome>;
