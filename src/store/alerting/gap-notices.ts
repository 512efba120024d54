import { z } from 'zod';
import type { Gap } from '../../domain/polling/gap.ts';
import { isAbout, type Watch } from '../../domain/watches/watch.ts';
import { gapRows } from '../../polling/gap-rows.ts';
import type { AnnouncingStore } from '../../use-cases/alerting/announce-failures.ts';
import { type Database, jsonOf, type Sql } from '../database/database.ts';
import { IdRow } from '../database/row.ts';
import { lockEnvironment } from '../watches/positions.ts';
import { ofWholeWatch, unsettledMutes } from '../watches/watch-mutes.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';

/** A gap isn't reported after it has been closed for this long, even if the watch was silent all that time. */
const NEWS_FOR = '7 days';

const AnyRow = z.object({ are_any: z.boolean() });

/** Without such a gap there is nothing to write or redraw, and knowing that needs no lock. */
const ANY_NEWS = `
  SELECT EXISTS (SELECT 1 FROM gaps WHERE environment = $1
    AND (closed_at IS NULL OR closed_at > $2::timestamptz - interval '${NEWS_FOR}')) AS are_any`;

/** Writes the gap notices: one for each gap and channel, by the oldest watch there. */
export function gapNotices(database: Database): Pick<AnnouncingStore, 'announceGaps'> {
  return {
    announceGaps: async (environment, isDue, now) => {
      const [{ are_any: areAny } = { are_any: false }] = await database.rows(AnyRow, ANY_NEWS, [environment, now]);
      if (!areAny) return [];
      return database.withTransaction(async (sql) => {
        // Replicas take turns, so that none repeats what another announced.
        await lockEnvironment(sql, environment);
        const written: string[] = [];
        for (const watch of await speakers(sql, environment)) {
          const mute = ofWholeWatch(await unsettledMutes(sql, watch.id));
          const due = (await unannounced(sql, watch, environment, now)).filter((gap) => isDue({ gap, watch, mute }));
          for (const gap of due) written.push(await write(sql, watch, gap, now));
        }
        await sql.write(REDRAW, [environment, now]);
        return written;
      });
    },
  };
}

async function speakers(sql: Sql, environment: string): Promise<Watch[]> {
  const watches = await sql.rows(
    WatchRow,
    `SELECT ${WATCH_COLUMNS} FROM watches w WHERE ended_at IS NULL ORDER BY created_at, id`,
  );
  const about = watches.filter(({ settings }) => isAbout(settings.filter, environment));
  return about.filter((watch) => about.find(({ channel }) => channel === watch.channel) === watch);
}

/** What waits to be posted for a watch that has ended is never posted. */
function unannounced(sql: Sql, watch: Watch, environment: string, now: Date): Promise<Gap[]> {
  return gapRows(
    sql,
    `g.environment = $1 AND (g.closed_at IS NULL OR g.closed_at > GREATEST($2, $4::timestamptz - interval '${NEWS_FOR}',
       (SELECT p.covered_since FROM positions p WHERE p.watch_id = $5 AND p.environment = g.environment)))
     AND NOT EXISTS (
       SELECT 1 FROM messages d JOIN watches w ON w.id = d.watch_id WHERE d.gap_id = g.id AND w.channel = $3
         AND (d.posted_at IS NOT NULL OR w.ended_at IS NULL)
     )`,
    [environment, watch.createdAt, watch.channel, now, watch.id],
  );
}

async function write(sql: Sql, watch: Watch, gap: Gap, now: Date): Promise<string> {
  const { mention } = watch.settings;
  const [notice] = await sql.rows(IdRow, ADD, [
    watch.id,
    gap.environment,
    now,
    gap.from,
    gap.to ?? now,
    gap.id,
    mention && jsonOf(mention),
  ]);
  if (notice === undefined) throw new Error('the notice of a gap was not written');
  return notice.id;
}

const ADD = `
  INSERT INTO messages (watch_id, environment, kind, created_at, covered_from, covered_to, gap_id, mention)
  VALUES ($1, $2, 'gap', $3, $4, $5, $6, $7::jsonb)
  RETURNING id`;

/** As text in JSON, a time would depend on the session's time zone. */
function epoch(column: string): string {
  return `extract(epoch FROM ${column})`;
}

/** Everything that a notice shows of its gap is kept in `details`, to detect changes. */
const REDRAW = `
  UPDATE messages d SET redraw_at = CASE WHEN d.details IS NULL THEN d.redraw_at ELSE $2 END, details = facts.details
  FROM (
    SELECT g.id, jsonb_build_object('to', ${epoch('g.ends_at')}, 'closed', ${epoch('g.closed_at')}, 'events', g.events, 'failures', g.failures,
      'unchecked', (SELECT jsonb_agg(jsonb_build_array(u -> 'from', u -> 'to', u -> 'nextTryAt' <> 'null') ORDER BY u -> 'from')
        FROM jsonb_array_elements(g.unchecked) u)) AS details
    FROM gaps g WHERE g.environment = $1
  ) facts
  WHERE d.gap_id = facts.id AND d.state <> 'gone' AND d.details IS DISTINCT FROM facts.details`;
