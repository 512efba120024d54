import { z } from 'zod';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS } from '../failures/verdict.ts';
import type { incidents } from '../store/schema.ts';
import { INCIDENT_STATES } from './state.ts';

export const State = z.enum(INCIDENT_STATES);
export const StoredVerdict = z.enum([...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS]);
export const StoredAnnouncement = z.enum(['announced', ...COUNTED_VERDICTS]);

/** Times of failures are the service's, the others ours. */
export type IncidentRow = typeof incidents.$inferSelect;

/** SQL of a list of numbers, given as JSON in a value. */
export function idsIn(value: string): string {
  return `(SELECT value::bigint FROM jsonb_array_elements_text(${value}::jsonb))`;
}
