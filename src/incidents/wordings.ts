import { and, eq, inArray, ne } from 'drizzle-orm';
import { firstOfEach, groupBy } from '../lib/group-by.ts';
import { storableText } from '../lib/text/shown-id.ts';
import { type Db, onlyRow } from '../store/db.ts';
import { noteWording } from './failure-rows.ts';
import { incidentWithId, updateIncident } from './incident-rows.ts';
import { type Explanation, explainedAs, explanationBy, type Keys, keysOf } from './keys.ts';
import { continueAs } from './merge.ts';
import type { UpdatedFailure } from './reconcile.ts';
import type { Recording } from './record.ts';
import { type IncidentRow, incidents, type WordingRow, wordings } from './tables.ts';
import { noteHappenings } from './timeline.ts';

/** A failure's sentence as it is now, and what the catalog says of it. */
export interface Worded extends Keys {
  cause: { text: string; key: string };
  explanation: Explanation;
}

/** The wordings of these incidents, each incident's first one first. */
export async function wordingsIn(db: Db, ids: readonly number[]): Promise<readonly WordingRow[]> {
  return ids.length === 0
    ? []
    : db
        .select()
        .from(wordings)
        .where(inArray(wordings.incidentId, [...ids]))
        .orderBy(wordings.id);
}

/** Returns the ID of an incident's wording, which may be new to it: another language, or a code of the same cause. */
async function wordingOf(tx: Db, incident: IncidentRow, worded: Worded, now: Date): Promise<number> {
  const { wordingKey: key, cause, explanation } = worded;
  const { headline } = explanation;
  const row = { incidentId: incident.id, key, causeText: cause.text, causeKey: cause.key, headline, at: now };
  const hasKey = and(eq(wordings.incidentId, incident.id), eq(wordings.key, key));
  const [known] = await tx.select().from(wordings).where(hasKey);
  if (known !== undefined) return known.id;
  return onlyRow(await tx.insert(wordings).values(row).returning()).id;
}

/** The first of each wording. */
export const firstOfWordings = <Item extends Keys>(items: readonly Item[]): readonly Item[] =>
  firstOfEach(items, ({ wordingKey }) => wordingKey);

/** The ID of each item's wording, by its key. */
export async function wordingIdsOf(
  tx: Db,
  incident: IncidentRow,
  items: readonly Worded[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const item of firstOfWordings(items)) ids.set(item.wordingKey, await wordingOf(tx, incident, item, now));
  return ids;
}

/**
 * The cause of an incident that nothing explained becomes clear: number, people and what was told stay. Where another open incident has this cause
 * already, the younger of the two goes on as the older.
 */
export async function explain(
  tx: Db,
  incident: IncidentRow,
  { key, explanation }: Pick<Worded, 'key' | 'explanation'>,
  recording: Recording,
): Promise<void> {
  const { now } = recording;
  const { headline } = explanation;
  if (headline === null || incident.headline !== null) return;
  await updateIncident(tx, incident.id, { key, ...explainedAs(explanation) });
  const occurrence = { action: 'cause-clear', headline: storableText(headline) } as const;
  await noteHappenings(tx, [{ incident, outbreak: incident.outbreak, occurrence }], now);
  if (incident.state === 'resolved') return;
  const isSame = and(eq(incidents.key, key), ne(incidents.state, 'resolved'), ne(incidents.id, incident.id));
  const [other] = await tx.select().from(incidents).where(isSame).orderBy(incidents.id).limit(1);
  if (other === undefined) return;
  const [older, younger] = other.id < incident.id ? [other, incident] : [incident, other];
  await continueAs(tx, younger, older, recording);
}

/** Failures that are stated otherwise by now name their new wording, and stay where they are. */
export async function noteWordings(
  tx: Db,
  environment: string,
  updated: readonly UpdatedFailure[],
  recording: Recording,
): Promise<void> {
  const { now, explainCause } = recording;
  const reworded = updated.flatMap(({ row, failure, isReworded }) => (isReworded && failure ? [{ row, failure }] : []));
  for (const [incidentId, here] of groupBy(reworded, ({ row }) => row.incidentId)) {
    const incident = await incidentWithId(tx, incidentId);
    if (incident === null) continue;
    const worded = here.map(({ row, failure }) => {
      const explanation = explanationBy(explainCause, failure);
      return { seq: row.seq, cause: failure.cause, explanation, ...keysOf(environment, failure, explanation) };
    });
    for (const sameWording of groupBy(worded, ({ wordingKey }) => wordingKey).values()) {
      const [first] = sameWording;
      if (first === undefined) continue;
      const seqs = sameWording.map(({ seq }) => seq);
      await noteWording(tx, seqs, await wordingOf(tx, incident, first, now));
      await explain(tx, incident, first, recording);
    }
  }
}
