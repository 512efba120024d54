import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { RenamedWorkflow } from '../changes/workflows.ts';
import { Count, type Db, rowsOf } from '../store/db.ts';
import { renewVersions } from './record.ts';

/** Stored names follow a rename: a watch for the new name is about what failed before it, too. */
export async function renameWorkflows(tx: Db, environment: string, renamed: readonly RenamedWorkflow[]): Promise<void> {
  if (renamed.length === 0) return;
  const named = sql`jsonb_to_recordset(${rowsOf(renamed)}::jsonb) AS item (identifier text, name text)`;
  await tx.write(sql`
    UPDATE outbreak_workflows w
    SET workflow_name = item.name
    FROM ${named}, incidents i
    WHERE i.id = w.incident_id
      AND i.environment = ${environment}
      AND w.workflow = item.identifier`);
  const touched = await tx.rows(
    z.object({ incidentId: Count }),
    sql`
      UPDATE failures f
      SET workflow_name = item.name
      FROM ${named}, incidents i
      WHERE i.id = f.incident_id
        AND i.state <> 'resolved'
        AND f.environment = ${environment}
        AND f.workflow = item.identifier
      RETURNING f.incident_id`,
  );
  await renewVersions(
    tx,
    environment,
    touched.map(({ incidentId }) => incidentId),
  );
}
