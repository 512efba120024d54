import { z } from 'zod';
import type { ServiceProblem } from '../domain/errors.ts';

const kind = <Kind extends ServiceProblem['kind']>(name: Kind) => z.literal(name);

/** A `ServiceProblem` as it was stored in JSON. */
export const StoredProblem: z.ZodType<ServiceProblem> = z.discriminatedUnion('kind', [
  z.object({ kind: kind('refused'), status: z.number(), message: z.string(), fields: z.array(z.string()) }),
  z.object({ kind: kind('key-refused'), status: z.number() }),
  z.object({ kind: kind('beyond-plan'), message: z.string() }),
  z.object({ kind: kind('still-running') }),
  z.object({ kind: kind('too-large') }),
  z.object({ kind: kind('rate-limited'), retryAfterMs: z.number() }),
  z.object({ kind: kind('service-error'), status: z.number(), errorId: z.string().nullable() }),
  z.object({ kind: kind('gateway'), status: z.number() }),
  z.object({ kind: kind('unreadable'), status: z.number() }),
  z.object({ kind: kind('timed-out'), afterMs: z.number() }),
  z.object({ kind: kind('unreachable') }),
  z.object({ kind: kind('busy'), waitedMs: z.number() }),
]);
