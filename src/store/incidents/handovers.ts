import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { EndingMute, SentTest, Some } from '../../domain/health/handover.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import type { HandoverStore } from '../../use-cases/health/write-handover.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { incidentsNow } from './incidents-now.ts';
import { IS_LAST } from './neighbours.ts';

export type Handovers = Pick<HandoverStore, 'incidentsOver' | 'incidentsOpened' | 'endingMutes' | 'testsWithin'>;

/** Reads what a handover lists besides open incidents. */
export function handovers(database: Database): Handovers {
  return {
    incidentsOver: (...asked) => incidentsOver(database, ...asked),
    async incidentsOpened(since) {
      const [row] = await database.rows(OpenedRow, OPENED, [jsonOf(since)]);
      return row?.opened ?? 0;
    },
    endingMutes: async (environments, { from, to }, limit) =>
      someOf(await database.rows(MuteRow, MUTES, [jsonOf(environments), from, to, limit]), muteOf),
    testsWithin: async (environments, { from, to }, limit) =>
      someOf(await database.rows(TestRow, TESTS, [jsonOf(environments), from, to, limit]), testOf),
  };
}

/** Each row has the total. */
const Total = z.object({ total: Count });

function someOf<Row extends { readonly total: number }, Item>(
  rows: readonly Row[],
  itemOf: (row: Row) => Item,
): Some<Item> {
  return { items: rows.map(itemOf), more: (rows[0]?.total ?? 0) - rows.length };
}

const OverRow = Total.extend({ id: Count });
const OpenedRow = z.object({ opened: Count });

async function incidentsOver(
  sql: SqlRows,
  ...[environments, { from, to }, limit]: Parameters<HandoverStore['incidentsOver']>
): ReturnType<HandoverStore['incidentsOver']> {
  const names = jsonOf(environments);
  const quiet = [from, to].map((time) => subMilliseconds(time, EPISODE_MS));
  const rows = await sql.rows(OverRow, OVER, [names, from, ...quiet, limit]);
  const ids = rows.map(({ id }) => id);
  const known = await incidentsNow(sql, ids, null, to);
  const items = ids.flatMap((id) => known.get(id) ?? []);
  return { items, more: (rows[0]?.total ?? 0) - rows.length };
}

/** The last episodes of incidents of the environments $1 that were resolved since $2, or whose last failure was recorded after $3 and until $4. */
const OVER = `
  SELECT s.id, count(*) OVER () AS total FROM episodes s JOIN groups g ON g.key = s.group_key
  WHERE $1::jsonb ? g.environment AND g.announcement = 'announced'
    AND (s.state = 'resolved' AND s.state_at >= $2 OR s.state <> 'resolved' AND s.last_recorded_at > $3 AND s.last_recorded_at <= $4)
    AND ${IS_LAST}
  ORDER BY coalesce(s.state_at, s.last_recorded_at) DESC, s.id DESC LIMIT $5`;

const OPENED = `
  SELECT count(DISTINCT s.incident_key) AS opened
  FROM jsonb_to_recordset($1::jsonb) AS asked (name text, "datedFrom" timestamptz)
  JOIN groups g ON g.environment = asked.name JOIN episodes s ON s.group_key = g.key
  WHERE g.announcement = 'announced' AND s.began_as <> 'goes-on' AND s.first_seen >= asked."datedFrom"`;

const MuteRow = Total.extend({
  watch_channel: z.string(),
  muted_by: z.string(),
  until: z.date(),
  environment: z.string().nullable(),
  channel: z.string().nullable(),
  provider: z.string().nullable(),
  watches: Count,
});

function muteOf({ environment, channel, provider, ...row }: z.output<typeof MuteRow>): EndingMute {
  const isWatch = environment === null || channel === null;
  const muted = isWatch ? { watches: row.watches } : { environment, channel, provider };
  return { channel: row.watch_channel, muted, by: row.muted_by, until: row.until };
}

/** The environments that a watch covers, as JSON; an empty list means all of them. */
const COVERED = "coalesce(w.settings #> '{filter,environments}', '[]')";

/** Mutes of incidents of the environments $1, and of watches that cover any of them. */
const MUTES = `
  SELECT w.channel AS watch_channel, m.muted_by, m.until, g.environment, g.channel, g.provider,
    count(*) AS watches, count(*) OVER () AS total
  FROM mutes m JOIN watches w ON w.id = m.watch_id LEFT JOIN groups g ON g.key = m.group_key
  WHERE m.settled_at IS NULL AND m.until > $2 AND m.until <= $3 AND w.ended_at IS NULL
    AND CASE WHEN g.key IS NOT NULL THEN $1::jsonb ? g.environment
      ELSE ${COVERED} = '[]' OR ${COVERED} ?| ARRAY(SELECT jsonb_array_elements_text($1::jsonb)) END
  GROUP BY w.channel, m.muted_by, m.until, g.incident_key, g.environment, g.channel, g.provider
  ORDER BY m.until, min(m.id) LIMIT $4`;

const TestRow = Total.extend({
  environment: z.string(),
  workflow: z.string(),
  at: z.date(),
  accepted: z.number().nullable(),
});

function testOf({ total: _, ...test }: z.output<typeof TestRow>): SentTest {
  return test;
}

const TESTS = `
  SELECT environment, change ->> 'workflow' AS workflow, at, (outcome ->> 'accepted')::integer AS accepted, count(*) OVER () AS total
  FROM audit_entries
  WHERE change ->> 'action' = 'trigger' AND $1::jsonb ? environment AND at >= $2 AND at <= $3
    AND (outcome ->> 'is' IN ('begun', 'unknown') OR (outcome ->> 'accepted')::integer > 0)
  ORDER BY at DESC, id LIMIT $4`;
