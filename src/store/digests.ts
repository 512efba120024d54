import { z } from 'zod';
import type { DigestContent, DigestRow } from '../domain/delivery.ts';
import { ANNOUNCEMENT_MS, DIGEST_ROWS } from '../domain/digest.ts';
import type { GroupTally } from '../domain/failure.ts';
import { type Database, jsonOf } from './database.ts';
import { Count, CountRow } from './row.ts';
import { StoredVerdict, spanTallies, tallies } from './tallies.ts';

export interface Digests {
  /** What a digest says as it stands now. */
  content(digestId: string): Promise<DigestContent>;
  /** Some of the groups that a digest announces, in the order in which it announced them, and how many there are in all. */
  digestGroups(
    digestId: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly groups: GroupTally[]; readonly total: number }>;
  /** The groups behind the counts of a digest, at most `MOST_TALLIES`. */
  digestCounted(digestId: string): Promise<GroupTally[]>;
}

const DigestRecord = z.object({
  id: z.string(),
  channel: z.string(),
  environment: z.string(),
  created_at: z.date(),
  is_first: z.boolean(),
  covered_from: z.date(),
  covered_to: z.date(),
  events: Count,
  unreadable: Count,
  failed_events: Count,
  counted: z.partialRecord(StoredVerdict, z.number()),
});
type DigestRecord = z.output<typeof DigestRecord>;

const WorkflowEvents = z.object({ workflow: z.string(), events: Count });

export function digests(database: Database): Digests {
  return {
    content: (digestId) => content(database, digestId),
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

async function content(database: Database, digestId: string): Promise<DigestContent> {
  const [digest] = await database.rows(
    DigestRecord,
    'SELECT d.*, w.channel FROM digests d JOIN watches w ON w.id = d.watch_id WHERE d.id = $1',
    [digestId],
  );
  if (digest === undefined) throw new Error(`there is no digest ${digestId}`);
  const rows = await announced(database, digestId, 0, DIGEST_ROWS);
  const groups = await countAnnounced(database, digestId);
  return {
    kind: 'digest',
    id: digest.id,
    channel: digest.channel,
    environment: digest.environment,
    isFirst: digest.is_first,
    covered: { from: digest.covered_from, to: digest.covered_to },
    eventsRead: digest.events,
    unreadable: digest.unreadable,
    failedEvents: digest.failed_events,
    rows: await withWorkflowEvents(database, digest, rows),
    moreGroups: Math.max(0, groups - DIGEST_ROWS),
    reasons: { new: groups },
    counted: digest.counted,
    unread: [],
    heldBack: null,
    mention: null,
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

/** Each row with the events that its workflow had from the digest's first minute to the end of its announcement, or to now. */
async function withWorkflowEvents(
  database: Database,
  digest: DigestRecord,
  rows: readonly GroupTally[],
): Promise<DigestRow[]> {
  const endsAt = new Date(digest.created_at.getTime() + ANNOUNCEMENT_MS);
  const counts = await database.rows(
    WorkflowEvents,
    `SELECT workflow, sum(events) AS events FROM event_counts
     WHERE environment = $1 AND workflow IN (SELECT jsonb_array_elements_text($2::jsonb))
       AND minute >= date_trunc('minute', $3::timestamptz, 'UTC') AND minute < $4
     GROUP BY workflow`,
    [digest.environment, jsonOf(rows.map(({ group }) => group.workflow ?? '')), digest.covered_from, endsAt],
  );
  const events = new Map(counts.map((count) => [count.workflow, count.events]));
  return rows.map((tally) => ({
    episodeId: 0,
    tally,
    workflowEvents: events.get(tally.group.workflow ?? '') ?? 0,
    reason: 'new',
    missed: null,
    phase: { phase: 'failing' },
    acknowledged: null,
    takenBack: null,
    before: null,
    grown: null,
    mute: null,
    trend: [],
  }));
}
