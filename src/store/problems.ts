import { z } from 'zod';
import type { ServiceProblem } from '../domain/errors.ts';

/** The kinds of problems as stored in columns and JSON. */
export const PROBLEM_KINDS = [
  'refused',
  'key-refused',
  'beyond-plan',
  'still-running',
  'too-large',
  'rate-limited',
  'service-error',
  'gateway',
  'unreadable',
  'no-progress',
  'timed-out',
  'unreachable',
  'busy',
] as const satisfies readonly ServiceProblem['kind'][];

/** A `ServiceProblem` as stored in JSON. */
export const StoredProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), status: z.number(), message: z.string(), fields: z.array(z.string()) }),
  z.object({ kind: z.literal('key-refused'), status: z.number(), message: z.string().exactOptional() }),
  z.object({ kind: z.literal('beyond-plan'), message: z.string() }),
  z.object({ kind: z.literal('still-running') }),
  z.object({ kind: z.literal('too-large'), message: z.string().default('') }),
  z.object({ kind: z.literal('rate-limited'), retryAfterMs: z.number() }),
  z.object({ kind: z.literal('service-error'), status: z.number(), errorId: z.string().nullable() }),
  z.object({ kind: z.literal('gateway'), status: z.number() }),
  z.object({ kind: z.literal('unreadable'), status: z.number(), wrong: z.string().nullable().default(null) }),
  z.object({ kind: z.literal('no-progress'), pages: z.number() }),
  z.object({ kind: z.literal('timed-out'), afterMs: z.number() }),
  z.object({ kind: z.literal('unreachable') }),
  z.object({ kind: z.literal('busy'), waitedMs: z.number() }),
]);
