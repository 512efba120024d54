import { z } from 'zod';
import { compareTallies, gravest, highestSeverity, keyed, type Tally } from '../../domain/failures/failure.ts';
import { StoredAnnouncement, StoredVerdict } from '../../incidents/rows.ts';
import type { SqlRows, SqlValue } from '../database/database.ts';
import { Count } from '../database/row.ts';

export interface DatedTally {
  readonly tally: Tally;
  readonly firstEventAt: Date;
}

const TallyRow = z
  .object({
    environment: z.string(),
    workflow: z.string().nullable(),
    workflow_name: z.string().nullable(),
    channel: z.string(),
    provider: z.string().nullable(),
    cause_text: z.string(),
    cause_key: z.string(),
    announcement: StoredAnnouncement,
    is_test: z.boolean(),
    incident_id: Count,
    verdicts: z.array(StoredVerdict),
    failures: Count,
    subscribers: Count,
    events: Count,
    first_seen: z.date(),
    last_seen: z.date(),
    severities: z.array(z.string().nullable()),
    critical: z.boolean(),
    event_id: z.string().nullable(),
    transaction_id: z.string(),
    subscriber_id: z.string().nullable(),
    first_event_at: z.date(),
  })
  .transform(
    (row): DatedTally => ({
      tally: {
        kind: keyed({
          environment: row.environment,
          workflow: row.workflow,
          workflowName: row.workflow_name,
          channel: row.channel,
          provider: row.provider,
          cause: { text: row.cause_text, key: row.cause_key },
          announcement: row.announcement,
          isTest: row.is_test,
        }),
        incidentId: row.incident_id,
        verdict: gravest(row.verdicts),
        failures: row.failures,
        subscribers: row.subscribers,
        events: row.events,
        firstSeen: row.first_seen,
        lastSeen: row.last_seen,
        severity: highestSeverity(row.severities),
        critical: row.critical,
        example: { eventId: row.event_id, transactionId: row.transaction_id, subscriberId: row.subscriber_id },
      },
      firstEventAt: row.first_event_at,
    }),
  );

/** The longest list of tallies returned, the critical and the largest first: nobody reads further, and memory stays bounded. */
export const MOST_TALLIES = 500;

/** By cause and workflow. `where` is about failures `f` of incidents `i`. */
export async function tallies(sql: SqlRows, where: string, values: readonly SqlValue[]): Promise<DatedTally[]> {
  const found = await sql.rows(
    TallyRow,
    `WITH tallied AS (
       SELECT i.key, f.workflow, max(f.incident_id) AS incident_id, count(*) AS failures, count(DISTINCT f.subscriber_id) AS subscribers,
         count(DISTINCT f.event_key) AS events, min(f.occurred_at) AS first_seen, max(f.occurred_at) AS last_seen,
         min(f.event_created_at) AS first_event_at,
         array_agg(DISTINCT f.verdict) AS verdicts, array_agg(DISTINCT f.severity) AS severities,
         bool_or(f.critical) AS critical, max(f.seq) AS newest
       FROM failures f JOIN incidents i ON i.id = f.incident_id WHERE ${where}
       GROUP BY i.key, f.workflow
     )
     SELECT t.*, i.environment, i.channel, i.provider, i.cause_text, i.cause_key, i.announcement, i.is_test,
       newest.workflow_name, newest.event_id, newest.transaction_id, newest.subscriber_id
     FROM tallied t JOIN incidents i ON i.id = t.incident_id JOIN failures newest ON newest.seq = t.newest
     ORDER BY i.is_test, t.critical DESC, t.failures DESC LIMIT ${MOST_TALLIES}`,
    values,
  );
  return found.sort((a, b) => compareTallies(a.tally, b.tally));
}
