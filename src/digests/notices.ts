import { addMilliseconds, subDays } from 'date-fns';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { wantsChange } from '../changes/change.ts';
import { readable } from '../changes/changes.ts';
import { changes } from '../changes/tables.ts';
import { environmentOf } from '../coverage/environments.ts';
import { type QuietTimes, usualPauseMs } from '../coverage/silence.ts';
import { isAmong } from '../lib/fold.ts';
import { maskedId, maybeBoundedId, stored } from '../lib/text/shown-id.ts';
import { presentRead } from '../lib/time/service-clock.ts';
import { endSilence, enqueue, silentNow } from '../outbox/messages.ts';
import { Count, type Ctx, type Db, onlyRow } from '../store/db.ts';
import { isSilenced, mutesEndingAfter } from '../watches/mutes.ts';
import { isAbout, type Watch } from '../watches/settings.ts';
import { watches } from '../watches/tables.ts';
import { updateWatch } from '../watches/watches.ts';

export async function announceNotices({ db, now: clock }: Ctx, all: readonly Watch[], environment: string) {
  const now = clock();
  await notifySilences(db, all, environment, now);
  if ((await watchesBehind(db, environment)).length > 0)
    await db.transaction((tx) => notifyChanges(tx, environment, now));
}

async function notifySilences(db: Db, all: readonly Watch[], environment: string, now: Date) {
  for (const { subject, content } of await silentNow(db, [environment])) {
    const { until } = onlyRow(await db.rows(EndRow, END, [environment, content.workflow]));
    if (until !== null && until > content.since) await endSilence(db, subject, until, now);
  }
  const state = await environmentOf(db, environment);
  if (state === null || state.problem !== null) return;
  const until = presentRead(state, now);
  const known = new Set(
    (await db.rows(NoticeRow, SILENCES, [environment])).map(({ channel, subject }) => channel + subject),
  );
  const { coveredFrom } = state;
  for (const quiet of await db.rows(QuietRow, QUIET, [environment, until])) {
    const { workflow, name, since } = quiet;
    const subject = [environment, since.toISOString(), workflow ?? ''].join(' ').trim();
    const unnotified = all.filter((watch) => coversSilence(watch, quiet) && !known.has(watch.channel + subject));
    const usualMs =
      unnotified.length === 0 ? null : await usualMsIfSilent(db, environment, { ...quiet, until, coveredFrom });
    if (usualMs === null) continue;
    const named = { workflow: maybeBoundedId(workflow), name: name === null ? null : maskedId(name) };
    for (const watch of unnotified) {
      const { id: watchId, channel, settings } = watch;
      if (known.has(channel + subject) || isSilenced(watch, await mutesEndingAfter(db, watchId, now), now)) continue;
      const content = stored({ since, usualMs, ...named, mention: settings.mention });
      await enqueue(db, { kind: 'silence', watchId, environment, subject, content, createdAt: now });
      known.add(channel + subject);
    }
  }
}

type Quiet = z.output<typeof QuietRow>;

function coversSilence({ settings: { silence, filter } }: Watch, { workflow, name, critical }: Quiet) {
  if (silence === 'off' || workflow === null) return silence !== 'off';
  return (critical || silence === 'all') && isAmong([workflow, name], filter.workflows);
}

async function usualMsIfSilent(db: Db, environment: string, { workflow, ...quiet }: Quiet & QuietTimes) {
  if (workflow !== null) return usualPauseMs(db, environment, workflow, quiet);
  const { since, until } = quiet;
  const usual = onlyRow(await db.rows(UsualRow, USUAL, [environment, subDays(since, USUAL_DAYS), since]));
  if (usual.longestMs === null || usual.minutes < FEWEST_MINUTES) return null;
  return addMilliseconds(since, TIMES_USUAL * usual.longestMs) <= until ? usual.longestMs : null;
}

const TIMES_USUAL = 2;
const USUAL_DAYS = 8;
const FEWEST_MINUTES = 60;

const EndRow = z.object({ until: z.date().nullable() });
const NoticeRow = z.object({ channel: z.string(), subject: z.string() });
const QuietRow = z.object({
  workflow: z.string().nullable(),
  name: z.string().nullable(),
  critical: z.boolean(),
  since: z.date(),
});
const UsualRow = z.object({ longestMs: Count.nullable(), minutes: Count });

const newest = (condition = '') =>
  `(SELECT max(minute) FROM event_counts WHERE environment = $1 AND events > 0${condition})`;

const END = `SELECT ${newest(' AND ($2::text IS NULL OR workflow = $2)')} AS until`;

/** A notice of a watch that has ended since counts only if it was posted. */
const SILENCES = `
  SELECT DISTINCT w.channel, m.subject FROM messages m JOIN watches w ON w.id = m.watch_id
  WHERE m.kind = 'silence' AND m.environment = $1 AND (m.state = 'posted' OR w.ended_at IS NULL)`;

/** The environment and its workflows without an event for a while, all of which was read. */
const QUIET = `
  SELECT quiet.* FROM (
    SELECT NULL AS workflow, NULL AS name, true AS critical, ${newest()} AS since
    UNION ALL
    SELECT w.identifier, w.name, w.critical, ${newest(' AND workflow = w.identifier')} FROM workflows w
    WHERE w.environment = $1 AND w.last_seen_at BETWEEN $2::timestamptz - interval '4 days' AND $2
  ) quiet WHERE since <= $2::timestamptz - interval '30 minutes'
    AND NOT EXISTS (SELECT FROM event_counts u WHERE u.environment = $1 AND u.minute >= since AND u.unreadable > 0)
    AND NOT EXISTS (SELECT FROM gaps g WHERE g.environment = $1 AND coalesce(g.ends_at, 'infinity') > since
      AND (g.closed_at IS NULL OR g.unchecked <> '[]'))`;

const USUAL = `
  SELECT extract(epoch FROM max(pause)) * 1000 AS longest_ms, count(*) AS minutes FROM (
    SELECT minute - lag(minute) OVER (ORDER BY minute) AS pause FROM event_counts
    WHERE environment = $1 AND minute BETWEEN $2 AND $3 AND events > 0 GROUP BY minute
  ) pauses`;

/** Changes that a filter doesn't cover count as seen. */
async function notifyChanges(tx: Db, environment: string, now: Date) {
  for (const { watch, seenTo } of await watchesBehind(tx, environment).for('no key update')) {
    const { id: watchId, settings } = watch;
    const { filter } = settings;
    const isUnseen = and(eq(changes.environment, environment), gt(changes.id, seenTo));
    const unseen = await tx.select().from(changes).where(isUnseen).orderBy(changes.id);
    const isWanted = isAbout(filter, environment);
    const wanted = isWanted ? readable(unseen).filter(({ what }) => wantsChange(filter, what)) : [];
    if (wanted.length > 0) {
      if (isSilenced(watch, await mutesEndingAfter(tx, watchId, now), now)) continue;
      const content = stored({ changes: wanted.map(({ id }) => id) });
      await enqueue(tx, { kind: 'changes', watchId, environment, content, createdAt: now });
    }
    const changesTo = sql`changes_to || jsonb_build_object(${environment}::text, ${unseen.at(-1)?.id}::bigint)`;
    await updateWatch(tx, watchId, { changesTo });
  }
}

function watchesBehind(db: Db, environment: string) {
  const newest = sql`coalesce(changes_to -> ${environment}::text, changes_to -> '')`;
  const seenTo = sql`CASE jsonb_typeof(${newest}) WHEN 'number' THEN (${newest})::bigint END`.mapWith(changes.id);
  const isBehind = sql`EXISTS (SELECT FROM changes c WHERE c.environment = ${environment} AND c.id > ${seenTo})`;
  const behind = and(isNull(watches.endedAt), isBehind);
  return db.select({ watch: watches, seenTo }).from(watches).where(behind).orderBy(watches.id);
}
