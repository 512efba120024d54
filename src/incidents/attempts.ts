import { z } from 'zod';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { jsonOf } from '../store/values.ts';
import type { Attempts } from './incident.ts';

export interface AttemptsWindow {
  readonly id: number;
  readonly environment: string;
  readonly channel: string;
  readonly provider: string | null;
  readonly from: Date;
  readonly to: Date;
}

export interface TriedIn {
  readonly total: Attempts;
  /** Failures of all causes there. */
  readonly refused: number;
  in(workflow: string | null): Pick<Attempts, 'failed' | 'tried'> | null;
}

const TriedRow = z.object({ id: Count, workflow: z.string().nullable(), failed: Count, sent: Count, other: Count });

/** What was tried at the channels and providers of some incidents, by incident. */
export async function attemptsOf(sql: Db, windows: readonly AttemptsWindow[]): Promise<ReadonlyMap<number, TriedIn>> {
  if (windows.length === 0) return new Map();
  const asked = windows.map((window) => ({ ...window, provider: window.provider ?? '' }));
  const rows = await sql.rows(TriedRow, TRIED, [jsonOf(asked)]);
  return new Map(
    windows.map(({ id, from }) => [
      id,
      triedIn(
        rows.filter((row) => row.id === id),
        from,
      ),
    ]),
  );
}

function triedIn(rows: readonly z.output<typeof TriedRow>[], since: Date): TriedIn {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  const tried = rows.reduce((sum, row) => sum + row.failed + row.sent + row.other, 0);
  return {
    total: { since, failed, tried },
    refused: rows.reduce((sum, row) => sum + row.failed + row.other, 0),
    in: (workflow) => {
      const row = rows.find((one) => one.workflow === (workflow ?? ''));
      return row === undefined ? null : { failed: row.failed, tried: row.failed + row.sent };
    },
  };
}

/**
 * Deliveries are counted by the minute: those of the one in which it started are left out only if all of them came before. A failure is
 * recorded after it occurred, which finds the few other incidents by their index.
 */
const TRIED = `
  SELECT item.id, tried.workflow, sum(tried.failed) AS failed, sum(tried.sent) AS sent, sum(tried.other) AS other
  FROM jsonb_to_recordset($1::jsonb) AS item (id bigint, environment text, channel text, provider text, "from" timestamptz, "to" timestamptz)
  CROSS JOIN LATERAL (
    SELECT coalesce(workflow, '') AS workflow, count(*) AS failed, 0 AS sent, 0 AS other FROM failures
    WHERE incident_id = item.id AND occurred_at BETWEEN item."from" AND item."to" GROUP BY 1
    UNION ALL
    SELECT workflow, 0, sum(successes), 0 FROM success_counts s
    WHERE s.environment = item.environment AND s.channel = item.channel AND s.provider = item.provider
      AND last_at >= item."from" AND minute <= item."to" GROUP BY 1
    UNION ALL
    SELECT NULL, 0, 0, count(*) FROM incidents o JOIN failures f ON f.incident_id = o.id
    WHERE o.environment = item.environment AND o.channel = item.channel AND coalesce(o.provider, '') = item.provider
      AND o.announcement = 'announced' AND o.id <> item.id AND o.last_at >= item."from" AND o.last_recorded_at >= item."from"
      AND f.occurred_at BETWEEN item."from" AND item."to"
  ) tried GROUP BY 1, 2`;
