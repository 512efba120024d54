import { z } from 'zod';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS } from '../domain/failures/verdict.ts';
import { Count, rowWith } from '../store/row.ts';
import { INCIDENT_STATES } from './state.ts';

export const State = z.enum(INCIDENT_STATES);
export const StoredVerdict = z.enum([...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS]);
export const StoredAnnouncement = z.enum(['announced', ...COUNTED_VERDICTS]);

const Person = z.string().nullable();

/** A row of `incidents`; times of failures are the service's, the others ours. */
export const IncidentRow = rowWith({
  id: Count,
  key: z.string(),
  environment: z.string(),
  channel: z.string(),
  provider: z.string().nullable(),
  causeText: z.string(),
  causeKey: z.string(),
  announcement: StoredAnnouncement,
  isTest: z.boolean(),
  isRecipients: z.boolean(),
  state: State,
  stateAt: z.date(),
  firstAt: z.date(),
  startedAt: z.date(),
  lastAt: z.date(),
  lastRecordedAt: z.date(),
  recorded: Count,
  newestSeq: Count,
  startedSeq: Count,
  failures: Count,
  events: Count,
  subscribers: Count,
  verdicts: z.array(StoredVerdict),
  severities: z.array(z.string()),
  critical: z.boolean(),
  relapses: z.number(),
  acknowledgedBy: Person,
  acknowledgedAt: z.date().nullable(),
  assignedTo: Person,
  assignedBy: Person,
  assignedAt: z.date().nullable(),
  resolvedBy: Person,
});
export type IncidentRow = z.output<typeof IncidentRow>;

/** SQL of a list of numbers, given as JSON in a value. */
export function idsIn(value: string): string {
  return `(SELECT value::bigint FROM jsonb_array_elements_text(${value}::jsonb))`;
}
