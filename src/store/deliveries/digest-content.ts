import { z } from 'zod';
import type { DigestContent, DigestRow } from '../../domain/alerting/delivery.ts';
import { DIGEST_ROWS } from '../../domain/alerting/digest.ts';
import { compareTallies } from '../../domain/failures/failure.ts';
import type { Traffic } from '../../domain/failures/traffic.ts';
import type { TimeRange } from '../../domain/time/time-range.ts';
import { UNCHECKED_PARTS } from '../../polling/gap-rows.ts';
import type { Database, SqlRows } from '../database/database.ts';
import { Count, CountRow } from '../database/row.ts';
import { incidentsNow } from '../incidents/incidents-now.ts';
import { LAST_OF_OUTAGE } from '../incidents/neighbours.ts';
import { StoredReason, type WatchMessageRecord } from './message-record.ts';

const ReasonCount = z.object({ reason: StoredReason, count: Count, more_over: Count, more_resolved: Count });
const WindowRow = z.object({ from: z.date(), to: z.date() });

const AnnouncedRow = z.object({
  episode_id: Count,
  reason: StoredReason,
  missed: Count.nullable(),
  announced_failures: Count,
  announced_before: Count.nullable(),
  before_first_seen: z.date().nullable(),
  before_last_seen: z.date().nullable(),
});
type AnnouncedRow = z.output<typeof AnnouncedRow>;

export async function digestContent(
  sql: SqlRows,
  digest: WatchMessageRecord,
  now: Date,
  traffic: Traffic,
): Promise<DigestContent> {
  const counts = await sql.rows(ReasonCount, REASONS, [digest.id]);
  const sum = (of: (one: z.output<typeof ReasonCount>) => number) => counts.reduce((total, one) => total + of(one), 0);
  return {
    kind: 'digest',
    id: digest.id,
    channel: digest.destination,
    environment: digest.environment,
    isFirst: digest.is_first,
    covered: { from: digest.covered_from, to: digest.covered_to },
    unchecked: await unchecked(sql, digest),
    eventsChecked: digest.events,
    unreadable: digest.unreadable,
    rows: await announcedRows(sql, digest, { offset: 0, limit: DIGEST_ROWS }, now, traffic),
    moreIncidents: Math.max(0, sum(({ count }) => count) - DIGEST_ROWS),
    moreStates: { over: sum(({ more_over }) => more_over), resolved: sum(({ more_resolved }) => more_resolved) },
    reasons: Object.fromEntries(counts.map(({ reason, count }) => [reason, count])),
    heldBack: digest.held_back,
    mention: digest.mention,
  };
}

const REASONS = `
  SELECT a.reason, count(*), count(*) FILTER (WHERE a.position > ${DIGEST_ROWS} AND last.state IN ('recovering', 'resolved')) AS more_over,
    count(*) FILTER (WHERE a.position > ${DIGEST_ROWS} AND last.state = 'resolved') AS more_resolved
  FROM announcements a JOIN episodes s ON s.id = a.episode_id CROSS JOIN LATERAL (${LAST_OF_OUTAGE}) last WHERE a.message_id = $1 GROUP BY a.reason`;

async function announcedRows(
  sql: SqlRows,
  digest: Pick<WatchMessageRecord, 'id' | 'watch_id'>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  now: Date,
  traffic: Traffic,
): Promise<DigestRow[]> {
  const announced = await sql.rows(AnnouncedRow, ANNOUNCED, [digest.id, offset, offset + limit]);
  const incidents = await incidentsNow(
    sql,
    announced.map(({ episode_id }) => episode_id),
    digest.watch_id,
    now,
    traffic,
  );
  return announced
    .flatMap((row) => {
      const incident = incidents.get(row.episode_id);
      return incident === undefined ? [] : [{ ...incident, ...announcementOf(row) }];
    })
    .sort((a, b) => compareTallies(a.tally, b.tally));
}

function announcementOf(row: AnnouncedRow): Pick<DigestRow, 'reason' | 'missed' | 'before' | 'grown'> {
  const { before_first_seen: firstSeen, before_last_seen: lastSeen } = row;
  return {
    reason: row.reason,
    missed: row.missed,
    before: firstSeen && lastSeen && { firstSeen, lastSeen },
    grown: row.reason === 'grown' ? { from: row.announced_before ?? 0, to: row.announced_failures } : null,
  };
}

/** Each incident with the watch's previous alert about the episode, and the incident's previous episode. */
const ANNOUNCED = `
  SELECT a.episode_id AS episode_id, a.reason, a.missed, a.announced_failures, last.announced_before,
    before.first_seen AS before_first_seen, before.last_seen AS before_last_seen
  FROM announcements a JOIN episodes s ON s.id = a.episode_id
  CROSS JOIN LATERAL (
    SELECT max(earlier.announced_failures) AS announced_before FROM announcements earlier
    WHERE earlier.episode_id = a.episode_id AND earlier.watch_id = a.watch_id AND earlier.announced_at < a.announced_at
  ) last
  LEFT JOIN LATERAL (
    SELECT first_seen, last_seen FROM episodes older
    WHERE older.incident_key = s.incident_key AND older.id < s.id ORDER BY older.id DESC LIMIT 1
  ) before ON true
  WHERE a.message_id = $1 AND a.position > $2 AND a.position <= $3`;

function unchecked(sql: SqlRows, digest: WatchMessageRecord): Promise<TimeRange[]> {
  return sql.rows(
    WindowRow,
    `SELECT GREATEST(u."from", $2) AS from, LEAST(u."to", $3) AS to
     FROM gaps g CROSS JOIN LATERAL ${UNCHECKED_PARTS}
     WHERE g.environment = $1 AND u."from" < $3 AND u."to" > $2 ORDER BY u."from"`,
    [digest.environment, digest.covered_from, digest.covered_to],
  );
}

const DigestRecord = z.object({ id: z.string(), watch_id: z.string(), covered_from: z.date(), created_at: z.date() });

export function digests(database: Database, traffic: Traffic) {
  return {
    /** Returns some of the incidents that a digest announces, as of `now`, and their total number; those in its rows come first. */
    async digestRows(
      digestId: string,
      page: { readonly offset: number; readonly limit: number },
      now: Date,
    ): Promise<{ readonly rows: readonly DigestRow[]; readonly total: number }> {
      const found = 'SELECT id, watch_id, covered_from, created_at FROM messages WHERE id = $1';
      const [digest] = await database.rows(DigestRecord, found, [digestId]);
      if (digest === undefined) return { rows: [], total: 0 };
      const count = 'SELECT count(*) FROM announcements WHERE message_id = $1';
      const [announcements] = await database.rows(CountRow, count, [digestId]);
      return { rows: await announcedRows(database, digest, page, now, traffic), total: announcements?.count ?? 0 };
    },
  };
}
