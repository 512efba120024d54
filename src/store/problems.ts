import { z } from 'zod';

/** A `ServiceProblem` as it was stored in JSON. */
export const StoredProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), status: z.number(), message: z.string(), fields: z.array(z.string()) }),
  z.object({ kind: z.literal('key-refused'), status: z.number() }),
  z.object({ kind: z.literal('beyond-plan'), message: z.string() }),
  z.object({ kind: z.literal('still-running') }),
  z.object({ kind: z.literal('too-large') }),
  z.object({ kind: z.literal('rate-limited'), retryAfterMs: z.number() }),
  z.object({ kind: z.literal('service-error'), status: z.number(), errorId: z.string().nullable() }),
  z.object({ kind: z.literal('gateway'), status: z.number() }),
  z.object({ kind: z.literal('unreadable'), status: z.number() }),
  z.object({ kind: z.literal('timed-out'), afterMs: z.number() }),
  z.object({ kind: z.literal('unreachable') }),
  z.object({ kind: z.literal('busy'), waitedMs: z.number() }),
]);
