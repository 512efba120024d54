import type { GroupTally } from '../domain/failure.ts';
import type { Database } from './database.ts';
import { CountRow } from './row.ts';
import { spanTallies, tallies } from './tallies.ts';

export interface Digests {
  /** Some of the groups that a digest announces, in the order in which it announced them, and how many there are in all. */
  digestGroups(
    digestId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly groups: GroupTally[]; readonly total: number }>;
  /** The groups behind the counts of a digest, at most `MOST_TALLIES`. */
  digestCounted(digestId: string): Promise<GroupTally[]>;
}

/** What is behind the buttons of a digest. */
export function digests(database: Database): Digests {
  return {
    digestGroups: async (digestId, { offset, limit }) => ({
      groups: await announced(database, digestId, offset, limit),
      total: await countAnnounced(database, digestId),
    }),
    digestCounted: (digestId) =>
      tallies(
        database,
        `failures f JOIN digests d ON d.environment = f.environment AND f.seq > d.after_seq AND f.seq <= d.to_seq
         WHERE d.id = $1 AND NOT f.is_announced`,
        [digestId],
      ),
  };
}

function announced(database: Database, digestId: string, offset: number, limit: number): Promise<GroupTally[]> {
  return spanTallies(
    database,
    `spans s ON s.group_key = g.key JOIN announcements a ON a.span_id = s.id
     WHERE a.digest_id = $1 AND a.position > $2 AND a.position <= $3`,
    [digestId, offset, offset + limit],
  );
}

async function countAnnounced(database: Database, digestId: string): Promise<number> {
  const count = 'SELECT count(*) FROM announcements WHERE digest_id = $1';
  const [announcements] = await database.rows(CountRow, count, [digestId]);
  return announcements?.count ?? 0;
}
