import { z } from 'zod';
import type { Acknowledgment, Assignment } from '../../domain/incidents/episode.ts';

export const ActsRow = z.object({
  acknowledged_by: z.string().nullable(),
  acknowledged_at: z.date().nullable(),
  unacknowledged_by: z.string().nullable(),
  unacknowledged_at: z.date().nullable(),
  assigned_to: z.string().nullable(),
  assigned_by: z.string().nullable(),
  assigned_at: z.date().nullable(),
});
type ActsRow = z.output<typeof ActsRow>;

export function byAt(by: string | null, at: Date | null): Acknowledgment | null {
  return by !== null && at !== null ? { by, at } : null;
}

export function assignmentOf({ assigned_to: to, assigned_by: by, assigned_at: at }: ActsRow): Assignment | null {
  return to !== null && by !== null && at !== null ? { to, by, at } : null;
}
