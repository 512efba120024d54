import { addMilliseconds } from 'date-fns';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { compareIncidents, type IncidentNow, isFiring } from '../incidents/incident.ts';
import { incidentsNow } from '../incidents/incidents-now.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import type { Draft } from '../outbox/kinds.ts';
import type { Said } from '../outbox/messages.ts';
import type { MessageRow } from '../outbox/tables.ts';
import { type Db, textList } from '../store/db.ts';
import type { WatchMute } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { sentDigestOf } from './adopt.ts';
import { alertFinder, isAlertOf } from './alert-rows.ts';
import type { DigestContent, DigestRow, Mentioned } from './content.ts';
import { type DigestSays, filterToldBy, incidentIn, storedSays, subjectOf } from './digest-says.ts';
import { muteOf } from './holds.ts';
import { watchAlerts } from './tables.ts';

/** A digest has so many rows, and counts the others. */
const DIGEST_ROWS = 10;
/** What grows without a new failure is counted again no more often: Slack limits edits. */
const COUNTS_EVERY_MS = 5 * MINUTE_MS;

interface Drawing {
  watch: Watch;
  /** What it says of each incident. */
  says: ReadonlyMap<number, DigestSays>;
  mutes: readonly WatchMute[];
  at: Date;
}

/** A digest as it looks now. */
export async function digestDraft(db: Db, message: MessageRow, drawing: Drawing): Promise<Draft<DigestContent>> {
  const { watch, says, at } = drawing;
  const rows = await rowsOf(db, message, drawing);
  if (rows.length === 0) return { is: 'untrue', why: 'what it was about is no longer kept' };
  const { id, channel, environment } = message;
  const { shown, counted, singles } = placed(rows);
  const content: DigestContent = {
    kind: 'digest',
    id,
    channel,
    watchId: watch.id,
    environment,
    rows: shown,
    counted,
    singles: singles.map(({ incident }) => incident),
    mention: mentionIn([...says.values()], watch),
  };
  const live = rows.filter(({ isContinued }) => !isContinued).map(({ incident }) => incident);
  return {
    is: 'drawn',
    content,
    said: saidIn(message, says, rows, content),
    knownBy: JSON.stringify(sentDigestOf(content)),
    nextAt: nextDrawingOf(live, at),
    isLast: live.length === 0,
  };
}

async function rowsOf(db: Db, message: MessageRow, { watch, says, mutes, at }: Drawing): Promise<readonly DigestRow[]> {
  const ids = [...says.keys()];
  const incidents = await incidentsNow(db, ids, filterToldBy(says, watch), at);
  const alerts = ids.length === 0 ? [] : await db.select().from(watchAlerts).where(isAlertOf(watch.id, ids));
  const findAlert = alertFinder(alerts);
  const older = await olderPosts(db, message, ids);
  return [...says].flatMap(([id, { reason, missed, broke, began, outbreak }]): DigestRow[] => {
    const current = incidents.get(id);
    if (current === undefined) return [];
    // What was told of the outbreak's beginning stays.
    const isTold = began !== null && current.outbreak === outbreak;
    const incident = isTold ? { ...current, beganAt: began } : current;
    const alert = findAlert(watch.id, id);
    const isContinued = message.state === 'posted' && alert !== null && alert.messageId !== message.id;
    const mute = muteOf(mutes, { incident: { ...incident, state: incident.state.is }, alert }, at);
    return [{ incident, reason, missed, broke, mute, isContinued, olderTs: older.get(id) ?? null }];
  });
}

/** Where a digest shows its incidents. */
interface Placed {
  shown: readonly DigestRow[];
  counted: readonly DigestRow[];
  singles: readonly DigestRow[];
}

function placed(all: readonly DigestRow[]): Placed {
  // A single that became a row of a newer message is counted there.
  const singles = all.filter(({ reason, isContinued }) => reason === 'single' && !isContinued);
  const others = all.filter(({ reason }) => reason !== 'single');
  // A message of nothing but such singles shows them as rows.
  const rows = others.length + singles.length === 0 ? all : others;
  const ordered = rows.toSorted((a, b) => rankOf(a) - rankOf(b) || compareIncidents(a.incident, b.incident));
  return { shown: ordered.slice(0, DIGEST_ROWS), counted: ordered.slice(DIGEST_ROWS), singles };
}

/** Whom the post mentions: all whom the watch does, unless each incident that mentions only has some of them. */
function mentionIn(says: readonly DigestSays[], { settings }: Watch): Mentioned | null {
  const mentioning = says.filter(({ mentions }) => mentions);
  if (mentioning.length === 0) return null;
  if (mentioning.some(({ mentionsOnly }) => mentionsOnly === null)) return settings.mention;
  return { kind: 'people', ids: [...new Set(mentioning.flatMap(({ mentionsOnly }) => mentionsOnly ?? []))] };
}

/** What counts as told once it is posted, or edited. */
function saidIn(
  { state }: MessageRow,
  says: ReadonlyMap<number, DigestSays>,
  rows: readonly DigestRow[],
  content: DigestContent,
): readonly Said[] {
  const incidents = new Map(rows.map(({ incident }) => [incident.id, incident]));
  const shownIds = new Set(content.rows.map(({ incident }) => incident.id));
  return [...says].map(([id, told]) => {
    const isCounted = told.reason !== 'single' && state !== 'posted' && !shownIds.has(id);
    const shown = incidents.get(id);
    const shownBadness = shown?.badness ?? told.shownBadness;
    const began = told.began ?? shown?.beganAt ?? null;
    return { subject: subjectOf(id), says: storedSays(isCounted ? asCounted(told) : { ...told, shownBadness, began }) };
  });
}

/** What a digest only counts ("13 more") wasn't told: how bad it is can still ring. */
const asCounted = (says: DigestSays): DigestSays => ({ ...says, badness: 'one', critical: false, rings: false });

function rankOf({ incident, isContinued }: DigestRow): number {
  if (isContinued) return 2;
  return isFiring(incident.state) ? 0 : 1;
}

/** When to draw it again though nothing happens: attempts and successes grow without a new failure, too, and a gap is caught up on. */
function nextDrawingOf(live: readonly IncidentNow[], at: Date): Date | null {
  const isCatchingUp = live.some(
    ({ outage }) => outage !== null && outage.gap !== null && outage.gap.closedAt === null,
  );
  if (isCatchingUp) return addMilliseconds(at, MINUTE_MS);
  const isCounting = live.some(({ state }) => state.is === 'firing' || state.is === 'recovering');
  return isCounting ? addMilliseconds(at, COUNTS_EVERY_MS) : null;
}

const OlderRow = z.object({ subject: z.string(), ts: z.string() });

/** Slack's time of the post before about each incident. */
async function olderPosts(db: Db, message: MessageRow, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.rows(
    OlderRow,
    sql`
      SELECT DISTINCT ON (s.subject) s.subject, m.ts
      FROM message_subjects s
      JOIN slack_messages m ON m.id = s.message_id
      WHERE s.subject IN ${textList(ids.map(subjectOf))}
        AND m.owner = ${message.owner}
        AND m.kind = ${message.kind}
        AND m.id <> ${message.id}
        AND m.state = 'posted'
        AND m.posted_at < coalesce(${message.postedAt}::timestamptz, 'infinity')
      ORDER BY s.subject, m.posted_at DESC`,
  );
  return new Map(rows.map(({ subject, ts }) => [incidentIn(subject) ?? 0, ts]));
}
