import { eq, sql } from 'drizzle-orm';
import type { ExplainCause } from '../causes/explain-cause.ts';
import { inPieces } from '../lib/pauses.ts';
import { type Db, rowsOf } from '../store/db.ts';
import { judgedAs, keysOf, wordingKeyOf } from './incident.ts';
import { type IncidentRow, incidents, wordings } from './tables.ts';

const ROWS_A_TURN = 500;

/** Keys have the name of their environment in them: what it will be called has to find what is known by its former name. */
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
      return {
        id,
        key: kind === 'failures' ? keyIn(to, incident, explainCause) : key.replace(` ${from}`, () => ` ${to}`),
      };
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

function keyIn(environment: string, incident: IncidentRow, explainCause: ExplainCause): string {
  const { channel, provider, causeText, causeKey } = incident;
  const cause = { text: causeText, key: causeKey };
  const { headline = null, whose = null } = explainCause({ channel, provider, cause }).entry ?? {};
  return keysOf(environment, { ...judgedAs(incident), cause }, { headline, whose }).key;
}
