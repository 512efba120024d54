import { sql } from 'drizzle-orm';
import { knownPeople } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
import type { IncidentNow } from './incident.ts';
import { incidentsInOrder } from './incidents-now.ts';
import { IdRow, type OpenRow, openInOrder, type Top } from './lists.ts';

/** What is open, for a person: theirs first, and of those all. */
export interface Concerning {
  /** Assigned to them, acknowledged by them, or followed. */
  mine: readonly IncidentNow[];
  others: Top<IncidentNow>;
}

export async function concerning(
  db: Db,
  person: string,
  environments: readonly string[],
  { limit, now }: { limit: number; now: Date },
): Promise<Concerning> {
  const personOf = await knownPeople(db);
  const followed = new Set(
    (
      await db.rows(
        IdRow,
        sql`
          SELECT f.incident_id AS id
          FROM followers f
          LEFT JOIN person_ids p ON p.id = f.person
          WHERE coalesce(p.person, f.person) = ${personOf(person)}`,
      )
    ).map(({ id }) => id),
  );
  const isMine = ({ id, assignedTo, acknowledgedBy }: OpenRow): boolean =>
    followed.has(id) ||
    [assignedTo, acknowledgedBy].some((each) => each !== null && personOf(each) === personOf(person));
  const open = await openInOrder(db, environments, now);
  const mine = open.filter(isMine).slice(0, limit);
  const others = open.filter((row) => !mine.includes(row));
  const shown = others.slice(0, limit - mine.length);
  return {
    mine: await incidentsInOrder(db, mine, now),
    others: { items: await incidentsInOrder(db, shown, now), more: others.length - shown.length },
  };
}
