import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { ExplainCause } from '../causes/explain-cause.ts';
import type { RenamedWorkflow } from '../changes/workflows.ts';
import { inPieces } from '../lib/pauses.ts';
import { Count, type Db, rowsOf } from '../store/db.ts';
import { renewVersions } from './incident-rows.ts';
import { explanationBy, judgedAs, keysOf, wordingKeyOf } from './keys.ts';
import { type IncidentRow, incidents, wordings } from './tables.ts';

/** PGlite does nothing else during a statement. */
const ROWS_A_TURN = 500;

/** An environment is called `to` from now on: keys have its name in them, and what fails next has to find what is known. */
export async function renameKeys(
  tx: Db,
  { from, to }: { from: string; to: string },
  explainCause: ExplainCause,
): Promise<void> {
  const isHere = eq(incidents.environment, from);
  const known = await tx.select().from(incidents).where(isHere);
  for await (const piece of inPieces(known, ROWS_A_TURN)) {
    const keyed = piece.map((incident) => {
      const { id, kind, key } = incident;
      // The key of a condition has the name in words (`conditionKey`).
      const renamed = key.replace(` ${from}`, () => ` ${to}`);
      return { id, key: kind === 'failures' ? keyIn(to, incident, explainCause) : renamed };
    });
    await putKeys(tx, incidents, keyed);
  }
  const worded = await tx
    .select()
    .from(wordings)
    .innerJoin(incidents, eq(incidents.id, wordings.incidentId))
    .where(isHere);
  for await (const piece of inPieces(worded, ROWS_A_TURN)) {
    const keyed = piece.map(({ incidents: incident, wordings: { id, causeText: text, causeKey } }) => {
      return { id, key: wordingKeyOf(to, { ...judgedAs(incident), cause: { text, key: causeKey } }) };
    });
    await putKeys(tx, wordings, keyed);
  }
}

function keyIn(environment: string, incident: IncidentRow, explainCause: ExplainCause): string {
  const { channel, provider, causeText, causeKey } = incident;
  const cause = { text: causeText, key: causeKey };
  const explanation = explanationBy(explainCause, { channel, provider, cause });
  return keysOf(environment, { ...judgedAs(incident), cause }, explanation).key;
}

async function putKeys(
  tx: Db,
  table: typeof incidents | typeof wordings,
  keyed: readonly { id: number; key: string }[],
): Promise<void> {
  await tx.write(sql`
    UPDATE ${table} keyed
    SET key = item.key
    FROM jsonb_to_recordset(${rowsOf(keyed)}::jsonb) AS item (id bigint, key text)
    WHERE keyed.id = item.id`);
}

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
