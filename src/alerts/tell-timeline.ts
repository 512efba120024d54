import { and, eq, gt } from 'drizzle-orm';
import { incidents } from '../incidents/tables.ts';
import { entriesAfter, type IncidentEntry } from '../incidents/timeline.ts';
import { askForRedraw } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { subjectOf } from './digest-says.ts';
import { tellPeople } from './people.ts';
import { timelineCursors } from './tables.ts';
import { writeLines } from './write-lines.ts';

/**
 * Turns what happened since the last pass into lines in threads and direct messages, and has what shows the changed incidents drawn again: at once if
 * something happened, else with the counts.
 */
export async function tellTimeline(db: Db, environment: string, version: number, now: Date): Promise<void> {
  const isHere = eq(timelineCursors.environment, environment);
  const [told] = await db.select().from(timelineCursors).where(isHere);
  const isUpToDate = told !== undefined && told.version >= version;
  // Mostly nothing happened.
  if (isUpToDate && (await entriesAfter(db, environment, told.entryId)).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.insert(timelineCursors).values({ environment, version: 0, entryId: 0 }).onConflictDoNothing();
    const [cursor] = await tx.select().from(timelineCursors).where(isHere).for('update');
    if (cursor === undefined) return;
    const entries = await entriesAfter(tx, environment, cursor.entryId);
    const isChanged = and(eq(incidents.environment, environment), gt(incidents.version, cursor.version));
    const changed = await tx.select({ id: incidents.id }).from(incidents).where(isChanged);
    const turned = new Set(entries.filter(isTurn).map(({ incidentId }) => incidentId));
    const counted = changed.map(({ id }) => id).filter((id) => !turned.has(id));
    await askForRedraw(tx, [...turned].map(subjectOf), { at: now, isUrgent: true });
    await askForRedraw(tx, counted.map(subjectOf), { at: now, isUrgent: false });
    await writeLines(tx, entries, now);
    await tellPeople(tx, entries, now);
    if (entries.length === 0 && version <= cursor.version) return;
    const entryId = Math.max(cursor.entryId, ...entries.map(({ id }) => id));
    await tx
      .update(timelineCursors)
      .set({ version: Math.max(cursor.version, version), entryId })
      .where(isHere);
  });
}

/** Being worse, but not for everyone, shows with the counts. */
const isTurn = ({ change }: IncidentEntry): boolean => change?.action !== 'worse' || change.badness === 'every';
