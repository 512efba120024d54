import { z } from 'zod';

/** PostgreSQL's bigint, which the server's driver returns as text and the embedded database as a number. */
export const Count = z.coerce.number().int();

export const CountRow = z.object({ count: Count });

export const IdRow = z.object({ id: z.string() });

/** The state of an incident (`domain/incidents/incident.ts`). */
export const State = z.enum(['firing', 'quiet', 'recovering', 'resolved']);
