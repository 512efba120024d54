import { NO_REASON } from '../failures/cause.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { type StoredFailure, StoredRow } from './reconcile.ts';

/** Page by page: an event can have thousands. */
export async function storedFailures(
  db: Db,
  environment: string,
  eventKeys: readonly string[],
): Promise<StoredFailure[]> {
  const stored: StoredFailure[] = [];
  for (;;) {
    const page = await db.rows(StoredRow, STORED, [environment, jsonOf(eventKeys), NO_REASON, stored.at(-1)?.seq ?? 0]);
    stored.push(...page);
    if (page.length < STORED_A_TURN) return stored;
  }
}

const STORED_A_TURN = 500;

const STORED = `
  SELECT * FROM (
    SELECT f.seq, f.incident_id, f.event_key, f.job_id, f.provider, f.verdict, f.as_of, f.occurred_at, f.recorded_at, coalesce(i.key, '') AS incident_key,
      f.verdict = 'stuck' OR coalesce(i.cause_key = $3, false) AS is_unexplained
    FROM failures f LEFT JOIN incidents i ON i.id = f.incident_id
    WHERE f.environment = $1 AND f.event_key IN (SELECT jsonb_array_elements_text($2::jsonb)) OFFSET 0
  ) stored WHERE seq > $4 ORDER BY seq LIMIT ${STORED_A_TURN}`;
