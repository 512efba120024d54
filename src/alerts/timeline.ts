import { and, eq, gt } from 'drizzle-orm';
import { incidents } from '../incidents/tables.ts';
import { redraw } from '../outbox/messages.ts';
import type { Db } from '../store/db.ts';
import { entriesAfter, type IncidentEntry } from './entries.ts';
import { writeLines } from './lines.ts';
import { tellPeople } from './people.ts';
import { subjectOf } from './subjects.ts';
import { timelineCursors } from './tables.ts';

/** Being worse, but not for everyone, shows with the counts. */
const isTurn = ({ change }: IncidentEntry): boolean => change?.action !== 'worse' || change.badness === 'every';

/**
 * Turns what happened since the last pass into lines in threads and direct messages, and has what shows the changed incidents drawn again: at once if
 * something happened, else with the counts.
 */
export async function tellTimeline(db: Db, environment: string, version: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const isHere = eq(timelineCursors.environment, environment);
    await tx.insert(timelineCursors).values({ environment, version: 0, entryId: 0 }).onConflictDoNothing();
    const [cursor] = await tx.select().from(timelineCursors).where(isHere).for('update');
    if (cursor === undefined) return;
    const entries = await entriesAfter(tx, environment, cursor.entryId);
    const isChanged = and(eq(incidents.environment, environment), gt(incidents.version, cursor.version));
    const changed = await tx.select({ id: incidents.id }).from(incidents).where(isChanged);
    const turned = new Set(entries.filter(isTurn).map(({ incidentId }) => incidentId));
    const counted = changed.map(({ id }) => id).filter((id) => !turned.has(id));
    await redraw(tx, [...turned].map(subjectOf), { at: now, isUrgent: true });
    await redraw(tx, counted.map(subjectOf), { at: now, isUrgent: false });
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
