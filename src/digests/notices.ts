import { addMilliseconds, subDays, subMilliseconds } from 'date-fns';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Ctx } from '../lib/ctx.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import { type Gap, isWorthReporting } from '../polling/gap.ts';
import { gapsWhere } from '../polling/gaps.ts';
import { Count, type Db, jsonOf } from '../store/db.ts';
import { changes, gaps, messages, watches } from '../store/schema.ts';
import { maySpeak, mutesEndingAfter } from '../watches/running-mutes.ts';
import { isAbout, type Watch, wantsChange } from '../watches/settings.ts';
import { NEWS_DAYS } from './alerts.ts';

type Notice = Pick<typeof messages.$inferInsert, 'kind' | 'environment' | 'subject'> & { content?: object };
/** As in `TOLD_IN_CHANNEL`. */
type ToldOnce = Notice & { kind: 'gap' | 'silence'; subject: string };

export async function announceNotices(
  { db, now: clock }: Ctx,
  all: readonly Watch[],
  environment: string,
  sharing: readonly string[],
): Promise<void> {
  const now = clock();
  await tellOfGaps(db, all, environment, sharing, now);
  await tellOfSilence(db, all, environment, now);
  if ((await behindIn(db, environment)).length > 0) await db.transaction((tx) => tellOfChanges(tx, environment, now));
}

/** Those with a mention first. */
function speakersOf(all: readonly Watch[]): Watch[] {
  return all.toSorted((a, b) => Number(a.settings.mention === null) - Number(b.settings.mention === null));
}

async function tell(db: Db, { id: watchId, settings }: Watch, notice: Notice, now: Date): Promise<void> {
  const content = { ...notice.content, mention: settings.mention };
  const message = { ...notice, content, watchId, createdAt: now };
  await db.insert(messages).values(message).onConflictDoNothing();
}

/** What a watch has told, the others of its channel don't repeat. None while it may not speak. */
async function untold(db: Db, watch: Watch, notices: readonly ToldOnce[], now: Date): Promise<ToldOnce[]> {
  const subjects = jsonOf(notices.map(({ subject }) => subject));
  const told = await db.rows(SubjectRow, TOLD_IN_CHANNEL, [watch.channel, subjects]);
  const news = notices.filter((notice) => !told.some(({ subject }) => subject === notice.subject));
  return news.length > 0 && maySpeak(watch, await mutesEndingAfter(db, watch.id, now), now) ? news : [];
}

const SubjectRow = z.object({ subject: z.string() });

/** By a watch that has ended since only if it was posted. */
const TOLD_IN_CHANNEL = `
  SELECT subject FROM jsonb_array_elements_text($2::jsonb) AS told (subject) WHERE EXISTS (
    SELECT FROM messages m JOIN watches w ON w.id = m.watch_id
    WHERE w.channel = $1 AND m.kind IN ('gap', 'silence') AND (m.state = 'posted' OR w.ended_at IS NULL)
      AND (m.subject = told.subject OR m.content -> 'shared' ? told.subject))`;

async function tellOfGaps(
  db: Db,
  all: readonly Watch[],
  environment: string,
  sharing: readonly string[],
  now: Date,
): Promise<void> {
  const worthTelling = await gapsWorthTelling(db, environment, now);
  if (worthTelling.length === 0) return;
  await db.write(DRAW_AGAIN, [environment, now]);
  for (const watch of speakersOf(all)) {
    const news = worthTelling.filter((gap) => isNewTo(watch, gap));
    const notices = news.map(({ id: subject }) => ({ kind: 'gap', environment, subject }) as const);
    for (const notice of await untold(db, watch, notices, now)) {
      const joined = await db.write(JOIN, [watch.id, notice.subject, now, jsonOf(sharing)]);
      if (joined === 0) await tell(db, watch, notice, now);
    }
  }
}

async function gapsWorthTelling(db: Db, environment: string, now: Date): Promise<Gap[]> {
  const isRecent = or(isNull(gaps.closedAt), gt(gaps.closedAt, subDays(now, NEWS_DAYS)));
  const recent = await gapsWhere(db, and(eq(gaps.environment, environment), isRecent));
  return recent.filter((gap) => isWorthReporting(gap, now));
}

function isNewTo({ tellsFrom, held }: Watch, { id, closedAt }: Gap): boolean {
  return closedAt === null || closedAt > tellsFrom || held.includes(id);
}

/** That it holds back. */
export async function untoldGaps(tx: Db, watch: Watch, environment: string, now: Date): Promise<Gap[]> {
  const news = (await gapsWorthTelling(tx, environment, now)).filter((gap) => isNewTo(watch, gap));
  const subjects = jsonOf(news.map(({ id }) => id));
  const told = await tx.rows(SubjectRow, TOLD_IN_CHANNEL, [watch.channel, subjects]);
  return news.filter(({ id }) => !told.some(({ subject }) => subject === id));
}

/** A gap is closed as of when its poll began: it may have been drawn meanwhile. */
const DRAW_AGAIN = `
  UPDATE messages m SET next_at = $2 FROM gaps g
  WHERE m.kind = 'gap' AND g.environment = $1 AND m.state = 'posted' AND m.next_at IS NULL
    AND (g.id = m.subject OR m.content -> 'shared' ? g.id) AND (g.closed_at IS NULL OR g.closed_at > m.drawn_at - interval '5 minutes')`;

/** A gap that began when that of another environment of the same service did is told in its message. */
const JOIN = `
  UPDATE messages SET next_at = $3, content = jsonb_set(content, '{shared}', coalesce(content -> 'shared', '[]') || to_jsonb($2::text))
  WHERE id = (
    SELECT m.id FROM messages m JOIN gaps told ON told.id = m.subject JOIN gaps g ON g.id = $2
    WHERE m.kind = 'gap' AND m.watch_id = $1 AND m.state <> 'gone' AND $4::jsonb ? m.environment AND told.cause = g.cause
      AND abs(extract(epoch FROM told.begins_at - g.begins_at)) <= 300
    ORDER BY m.created_at LIMIT 1)`;

async function tellOfSilence(db: Db, all: readonly Watch[], environment: string, now: Date): Promise<void> {
  const content = await silenceIn(db, environment, now);
  if (content === null) return void (await db.write(END_SILENCE, [environment, now]));
  const subject = `${environment} ${content.since.toISOString()}`;
  const silence = { kind: 'silence', environment, subject, content } as const;
  for (const watch of speakersOf(all))
    for (const notice of await untold(db, watch, [silence], now)) await tell(db, watch, notice, now);
}

/** Whoever found it: the present, a pass or a gap that was read. */
const NEWEST = `(SELECT max(minute) AS at FROM event_counts WHERE environment = $1 AND events > 0) newest`;

const END_SILENCE = `
  UPDATE messages m SET next_at = $2, content = m.content || jsonb_build_object('until', newest.at) FROM ${NEWEST}
  WHERE m.kind = 'silence' AND m.environment = $1 AND m.state = 'posted' AND NOT m.content ? 'until'
    AND newest.at > (m.content ->> 'since')::timestamptz`;

const LEAST_MS = 30 * MINUTE_MS;
const TIMES_USUAL = 2;
const USUAL_DAYS = 8;
const FEWEST_MINUTES = 60;

const LastRow = z.object({ at: z.date(), clockAheadMs: Count.nullable() });
const UsualRow = z.object({ longestMs: Count.nullable(), minutes: Count });

async function silenceIn(db: Db, environment: string, now: Date) {
  const [last] = await db.rows(LastRow, LAST, [environment, subMilliseconds(now, LEAST_MS)]);
  if (last === undefined) return null;
  const since = last.at;
  const [usual] = await db.rows(UsualRow, USUAL, [environment, subDays(since, USUAL_DAYS), since]);
  if (usual === undefined || usual.longestMs === null || usual.minutes < FEWEST_MINUTES) return null;
  const leastMs = Math.max(LEAST_MS, TIMES_USUAL * usual.longestMs);
  const isLong = addMilliseconds(since, leastMs) <= subMilliseconds(now, lagMs(last.clockAheadMs));
  return isLong ? { since, usualMs: usual.longestMs } : null;
}

const LAST = `
  SELECT newest.at, clock_ahead_ms FROM environments c, ${NEWEST}
  WHERE c.environment = $1 AND newest.at < $2 AND checked_to > $2 AND problem IS NULL
    AND NOT EXISTS (SELECT FROM gaps g WHERE g.environment = $1 AND g.closed_at IS NULL AND g.begins_at > newest.at)`;

const USUAL = `
  SELECT extract(epoch FROM max(pause)) * 1000 AS longest_ms, count(*) AS minutes FROM (
    SELECT minute - lag(minute) OVER (ORDER BY minute) AS pause FROM event_counts
    WHERE environment = $1 AND minute BETWEEN $2 AND $3 AND events > 0 GROUP BY minute
  ) pauses`;

/** What is changed where a watch doesn't look is seen, too: it is no news once the watch does. */
async function tellOfChanges(tx: Db, environment: string, now: Date): Promise<void> {
  for (const { watch, seenTo } of await behindIn(tx, environment).for('no key update')) {
    const { id, settings } = watch;
    const { filter } = settings;
    const isUnseen = and(eq(changes.environment, environment), gt(changes.id, seenTo));
    const unseen = await tx.select().from(changes).where(isUnseen).orderBy(changes.id);
    const wanted = isAbout(filter, environment) ? unseen.filter(({ what }) => wantsChange(filter, what)) : [];
    const notice: Notice = { kind: 'changes', environment, content: { changes: wanted.map((change) => change.id) } };
    if (wanted.length > 0 && !maySpeak(watch, await mutesEndingAfter(tx, id, now), now)) continue;
    if (wanted.length > 0) await tell(tx, watch, notice, now);
    const changesTo = sql`changes_to || jsonb_build_object(${environment}::text, ${unseen.at(-1)?.id}::bigint)`;
    await tx.update(watches).set({ changesTo }).where(eq(watches.id, id));
  }
}

function behindIn(db: Db, environment: string) {
  const seenTo = sql`coalesce(changes_to ->> ${environment}::text, changes_to ->> '')::bigint`.mapWith(changes.id);
  const isBehind = sql`EXISTS (SELECT FROM changes c WHERE c.environment = ${environment} AND c.id > ${seenTo})`;
  const found = db.select({ watch: watches, seenTo }).from(watches);
  return found.where(and(isNull(watches.endedAt), isBehind)).orderBy(watches.id);
}
