import { sql } from 'drizzle-orm';
import { knownPeople, type PersonOf } from '../people/identity.ts';
import type { Db } from '../store/db.ts';
import type { IncidentNow } from './incident.ts';
import { incidentsInOrder } from './incidents-now.ts';
import { IdRow } from './lists.ts';
import { type OpenRow, openInOrder, type Top } from './open-incidents.ts';

/** What is open, for a person. */
export interface Concerning {
  /** Assigned to them, acknowledged by them, or followed. */
  mine: readonly IncidentNow[];
  others: Top<IncidentNow>;
}

/** At most `limit` in all, theirs first. Those of theirs that don't fit count in `others.more`. */
export async function concerning(
  db: Db,
  person: string,
  environments: readonly string[],
  { limit, now }: { limit: number; now: Date },
): Promise<Concerning> {
  const personOf = await knownPeople(db);
  const followed = await followedBy(db, personOf(person) ?? person);
  const open = await openInOrder(db, environments, now);
  const mine = open.filter((row) => followed.has(row.id) || hasIt(row, person, personOf)).slice(0, limit);
  const others = open.filter((row) => !mine.includes(row));
  const shown = others.slice(0, limit - mine.length);
  return {
    mine: await incidentsInOrder(db, mine, now),
    others: { items: await incidentsInOrder(db, shown, now), more: others.length - shown.length },
  };
}

async function followedBy(db: Db, person: string): Promise<ReadonlySet<number>> {
  const rows = await db.rows(
    IdRow,
    sql`
      SELECT f.incident_id AS id
      FROM followers f
      LEFT JOIN person_ids p ON p.id = f.person
      WHERE coalesce(p.person, f.person) = ${person}`,
  );
  return new Set(rows.map(({ id }) => id));
}

const hasIt = ({ assignedTo, acknowledgedBy }: OpenRow, person: string, personOf: PersonOf): boolean =>
  [assignedTo, acknowledgedBy].some((owner) => owner !== null && personOf(owner) === personOf(person));
