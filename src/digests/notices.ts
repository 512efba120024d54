import { subDays } from 'date-fns';
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { z } from 'zod';
import { ChangeColumns, changeOf } from '../changes/changes.ts';
import type { EnvironmentChange } from '../domain/changes/change.ts';
import { isWorthReporting } from '../domain/polling/gap.ts';
import { isQuietAt } from '../domain/time/wall-clock.ts';
import { gapsWhere } from '../polling/gaps.ts';
import type { Db } from '../store/db.ts';
import { Count } from '../store/row.ts';
import { gaps } from '../store/schema.ts';
import { jsonOf } from '../store/values.ts';
import { mutesUntil } from '../watches/mutes.ts';
import { type Watch, wantsChange } from '../watches/settings.ts';
import type { AnnounceCtx } from './announce.ts';
import type { Kind } from './message.ts';
import { silenceIn } from './silence.ts';

/** A gap isn't told of any more once it has been closed for this long. */
const NEWS_DAYS = 7;

/** Writes the notices of gaps: one a gap and channel, by the oldest watch there. Returns their IDs. */
export async function announceGaps(
  { db, now: clock, logger }: AnnounceCtx,
  watches: readonly Watch[],
  environment: string,
) {
  const now = clock();
  const isRecent = or(isNull(gaps.closedAt), gt(gaps.closedAt, subDays(now, NEWS_DAYS)));
  const recent = await gapsWhere(db, and(eq(gaps.environment, environment), isRecent));
  const worthTelling = recent.filter((gap) => isWorthReporting(gap, now));
  if (worthTelling.length === 0) return [];
  await db.write(DRAW_AGAIN, [environment, now]);
  const ids: string[] = [];
  for (const watch of speakers(watches)) {
    const news = worthTelling.filter(({ closedAt }) => closedAt === null || closedAt > watch.tellsFrom);
    if (news.length === 0 || !(await isOpen(db, watch, now))) continue;
    for (const { id: subject } of news)
      ids.push(...(await tellOnce(db, watch, { kind: 'gap', environment, subject }, now)));
  }
  for (const messageId of ids) logger.info({ environment, messageId }, 'notice of a gap written');
  return ids;
}

/** What a notice shows of its gap may have changed; an edit that changes nothing isn't sent. */
const DRAW_AGAIN = `
  UPDATE messages m SET next_at = $2 FROM gaps g
  WHERE m.kind = 'gap' AND m.environment = $1 AND m.state = 'posted' AND m.next_at IS NULL AND g.id = m.subject
    AND (g.closed_at IS NULL OR g.closed_at > m.drawn_at)`;

function speakers(watches: readonly Watch[]): Watch[] {
  return watches.filter((watch) => watches.find(({ channel }) => channel === watch.channel) === watch);
}

async function isOpen(sql: Db, { id, settings: { quiet, timeZone } }: Watch, now: Date): Promise<boolean> {
  const mutes = await mutesUntil(sql, id, now);
  return !mutes.some(({ incidentId }) => incidentId === null) && !isQuietAt(quiet, timeZone, now);
}

const IdRow = z.object({ id: z.string() });

async function tellOnce(
  sql: Db,
  { id, settings: { mention } }: Watch,
  about: { readonly kind: Kind; readonly environment: string; readonly subject: string; readonly content?: object },
  now: Date,
): Promise<string[]> {
  const { kind, environment, subject, content } = about;
  const values = [id, kind, environment, subject, jsonOf({ ...content, mention }), now];
  return (await sql.rows(IdRow, ADD_ONCE, values)).map((row) => row.id);
}

const ADD_ONCE = `
  INSERT INTO messages (watch_id, kind, environment, subject, content, created_at) VALUES ($1, $2, $3, $4, $5::jsonb, $6)
  ON CONFLICT (watch_id, kind, subject) DO NOTHING RETURNING id`;

/** Writes the notices of an environment without events: one a silence and channel. Returns their IDs. */
export async function announceSilence(
  { db, now: clock, logger }: AnnounceCtx,
  watches: readonly Watch[],
  environment: string,
) {
  const now = clock();
  const silence = await silenceIn(db, environment, now);
  if (silence === null) {
    await db.write(END_SILENCE, [environment, now]);
    return [];
  }
  const { since, usualMs } = silence;
  const about = { kind: 'silence', environment, subject: since.toISOString(), content: { since, usualMs } } as const;
  const ids: string[] = [];
  for (const watch of speakers(watches)) {
    if (await isOpen(db, watch, now)) ids.push(...(await tellOnce(db, watch, about, now)));
  }
  for (const messageId of ids) logger.info({ environment, messageId }, 'notice of a silence written');
  return ids;
}

/** The notice says when events are created again. */
const END_SILENCE = `
  UPDATE messages m SET next_at = $2, content = m.content || jsonb_build_object('until', c.newest_event_at) FROM environments c
  WHERE m.kind = 'silence' AND m.environment = $1 AND m.state = 'posted' AND NOT m.content ? 'until' AND c.environment = $1
    AND c.newest_event_at > (m.content ->> 'since')::timestamptz`;

interface Behind {
  readonly watch: Watch;
  readonly seenTo: number;
}

const BehindRow = z.object({ id: z.string(), changes_to: Count });

/** Writes the messages that show changes to watches that want them: one a channel, by the oldest such watch there. Returns their IDs. */
export async function announceChanges(
  { db, now: clock, logger }: AnnounceCtx,
  watches: readonly Watch[],
  environment: string,
) {
  const now = clock();
  if ((await behind(db, watches, environment)).length === 0) return [];
  const ids = await db.transaction(async (sql) => {
    await sql.write('SELECT FROM watches WHERE changes_to IS NOT NULL ORDER BY id FOR NO KEY UPDATE');
    const late = await behind(sql, watches, environment);
    const written: string[] = [];
    for (const speaker of speakers(late.map(({ watch }) => watch))) {
      if (!(await isOpen(sql, speaker, now))) continue;
      written.push(
        ...(await tellOfChanges(
          sql,
          speaker,
          late.filter(({ watch }) => watch.channel === speaker.channel),
          environment,
          now,
        )),
      );
    }
    return written;
  });
  for (const messageId of ids) logger.info({ environment, messageId }, 'message about changes written');
  return ids;
}

async function behind(sql: Db, watches: readonly Watch[], environment: string): Promise<Behind[]> {
  const late = `
    SELECT id, seen.changes_to FROM watches w
    CROSS JOIN LATERAL (SELECT coalesce(w.changes_to ->> $1, w.changes_to ->> '')::bigint AS changes_to) seen
    WHERE ended_at IS NULL AND EXISTS (SELECT FROM changes WHERE environment = $1 AND id > seen.changes_to)`;
  const rows = await sql.rows(BehindRow, late, [environment]);
  return watches.flatMap((watch) => {
    const row = rows.find(({ id }) => id === watch.id);
    return row === undefined ? [] : [{ watch, seenTo: row.changes_to }];
  });
}

async function tellOfChanges(
  sql: Db,
  speaker: Watch,
  late: readonly Behind[],
  environment: string,
  now: Date,
): Promise<string[]> {
  const since = Math.min(...late.map(({ seenTo }) => seenTo));
  const after = 'SELECT * FROM changes WHERE environment = $1 AND id > $2 ORDER BY id';
  const changes: EnvironmentChange[] = (await sql.rows(ChangeColumns, after, [environment, since])).map(changeOf);
  await sql.write(SEEN, [environment, jsonOf(late.map(({ watch }) => watch.id))]);
  const wanted = changes.filter(({ id, what }) =>
    late.some(({ watch, seenTo }) => id > seenTo && wantsChange(watch.settings.filter, what)),
  );
  if (wanted.length === 0) return [];
  const content = jsonOf({ changes: wanted.map(({ id }) => id) });
  return (await sql.rows(IdRow, ADD_CHANGES, [speaker.id, environment, content, now])).map(({ id }) => id);
}

const SEEN = `
  UPDATE watches SET changes_to = changes_to || jsonb_build_object($1::text, (SELECT max(id) FROM changes WHERE environment = $1))
  WHERE id IN (SELECT jsonb_array_elements_text($2::jsonb))`;

const ADD_CHANGES = `
  INSERT INTO messages (watch_id, kind, environment, content, created_at) VALUES ($1, 'changes', $2, $3::jsonb, $4) RETURNING id`;
