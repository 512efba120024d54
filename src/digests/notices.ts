import { addMilliseconds, subDays, subMilliseconds } from 'date-fns';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { wantsChange } from '../changes/change.ts';
import { changes } from '../changes/tables.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { lagMs } from '../lib/time/service-clock.ts';
import { endSilence, enqueue } from '../outbox/messages.ts';
import { messages } from '../outbox/tables.ts';
import type { Ctx } from '../store/ctx.ts';
import { Count, type Db } from '../store/db.ts';
import { maySpeak, mutesEndingAfter } from '../watches/mutes.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { updateWatch } from '../watches/watches.ts';

type Notice = Pick<typeof messages.$inferInsert, 'kind' | 'environment' | 'subject'> & { content?: object };

export async function announceNotices({ db, now: clock }: Ctx, all: readonly Watch[], environment: string) {
  const now = clock();
  await notifySilence(db, all, environment, now);
  if ((await behindIn(db, environment)).length > 0) await db.transaction((tx) => notifyChanges(tx, environment, now));
}

async function notify(db: Db, { id: watchId, settings }: Watch, notice: Notice, now: Date): Promise<void> {
  const content = { ...notice.content, mention: settings.mention };
  await enqueue(db, { ...notice, content, watchId, createdAt: now });
}

/** A notice of a watch that has ended since counts only if it was posted. */
async function isNotified(db: Db, { channel }: Watch, subject: string): Promise<boolean> {
  const isSame = and(eq(watches.channel, channel), eq(messages.kind, 'silence'), eq(messages.subject, subject));
  const isSent = and(isSame, or(eq(messages.state, 'posted'), isNull(watches.endedAt)));
  const notices = db.select({ id: messages.id }).from(messages).innerJoin(watches, eq(watches.id, messages.watchId));
  return (await notices.where(isSent).limit(1)).length > 0;
}

async function notifySilence(db: Db, all: readonly Watch[], environment: string, now: Date): Promise<void> {
  const content = await silenceIn(db, environment, now);
  if (content === null) {
    const [newest] = await db.rows(NewestRow, `SELECT at FROM ${NEWEST}`, [environment]);
    if (newest?.at != null) await endSilence(db, environment, newest.at, now);
    return;
  }
  const subject = `${environment} ${content.since.toISOString()}`;
  const silence = { kind: 'silence', environment, subject, content } as const;
  for (const watch of all) {
    if (!maySpeak(watch, await mutesEndingAfter(db, watch.id, now), now)) continue;
    if (!(await isNotified(db, watch, subject))) await notify(db, watch, silence, now);
  }
}

const NEWEST = `(SELECT max(minute) AS at FROM event_counts WHERE environment = $1 AND events > 0) newest`;

const NewestRow = z.object({ at: z.date().nullable() });

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

/** Changes that a watch's filter doesn't cover count as seen once they are there. */
async function notifyChanges(tx: Db, environment: string, now: Date): Promise<void> {
  for (const { watch, seenTo } of await behindIn(tx, environment).for('no key update')) {
    const { id, settings } = watch;
    const { filter } = settings;
    const isUnseen = and(eq(changes.environment, environment), gt(changes.id, seenTo));
    const unseen = await tx.select().from(changes).where(isUnseen).orderBy(changes.id);
    const wanted = isAbout(filter, environment) ? unseen.filter(({ what }) => wantsChange(filter, what)) : [];
    const notice: Notice = { kind: 'changes', environment, content: { changes: wanted.map((change) => change.id) } };
    if (wanted.length > 0 && !maySpeak(watch, await mutesEndingAfter(tx, id, now), now)) continue;
    if (wanted.length > 0) await notify(tx, watch, notice, now);
    const changesTo = sql`changes_to || jsonb_build_object(${environment}::text, ${unseen.at(-1)?.id}::bigint)`;
    await updateWatch(tx, id, { changesTo });
  }
}

function behindIn(db: Db, environment: string) {
  const seenTo = sql`coalesce(changes_to ->> ${environment}::text, changes_to ->> '')::bigint`.mapWith(changes.id);
  const isBehind = sql`EXISTS (SELECT FROM changes c WHERE c.environment = ${environment} AND c.id > ${seenTo})`;
  const behind = and(isNull(watches.endedAt), isBehind);
  return db.select({ watch: watches, seenTo }).from(watches).where(behind).orderBy(watches.id);
}
