import { addMilliseconds, isEqual, min, subDays } from 'date-fns';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { compareIncidents, type IncidentNow, isFiring } from '../incidents/incident.ts';
import { incidentsNow } from '../incidents/incidents-now.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { type Said, saidBy } from '../outbox/claims.ts';
import type { Draft, MessageKind } from '../outbox/kinds.ts';
import type { MessageRow } from '../outbox/tables.ts';
import { type Db, textList } from '../store/db.ts';
import { holdOf, mutesEndingAfter, type WatchMute } from '../watches/mutes.ts';
import type { Watch } from '../watches/settings.ts';
import { watchWithId } from '../watches/watches.ts';
import { adoptDigest, sentDigestOf } from './adopt.ts';
import { comparedIn, coveredBy, viewOf } from './candidates.ts';
import type { DigestContent, DigestRow, Mentioned } from './content.ts';
import { cursorOf } from './cursors.ts';
import { type Decision, decide } from './decide.ts';
import { newestEntries } from './entries.ts';
import { forWatch } from './for-watch.ts';
import { muteOf } from './holds.ts';
import { type MentionCtx, mentionsOf } from './mentions.ts';
import { isAlertOf } from './put-alerts.ts';
import { type DigestSays, digestSays, filterToldBy, incidentIn, storedSays, subjectOf } from './subjects.ts';
import { type AlertRow, watchAlerts } from './tables.ts';
import { noteShown, noteTold } from './told.ts';
import { shutOutOfChannel } from './watch-end.ts';

const DIGEST_ROWS = 10;

/** What it says of each incident stands in its subjects. */
export const DigestKept = z.object({});

/** A watch's message about incidents: what it says is decided when it is posted, and drawn again while it is the newest about them. */
export const createDigestKind = (ctx: MentionCtx): MessageKind<DigestContent> => ({
  Kept: DigestKept,
  mustArrive: true,
  async draw(db, message, at) {
    return forWatch(db, message.owner, async (watch) => {
      if (message.state === 'posted') return drawAgain(db, message, watch, at);
      if (message.channel !== watch.channel) return { is: 'moved', channel: watch.channel };
      return drawFirst({ ...ctx, db }, message, watch, at);
    });
  },
  async told(tx, message, { said, at, isPost }) {
    const watch = await watchWithId(tx, message.owner ?? '');
    if (watch === null) return;
    const noted = { said, at };
    if (isPost) await noteTold(tx, watch, message, noted);
    else await noteShown(tx, watch, message, noted);
  },
  async deleted(tx, message) {
    const gone = { isMessageGone: true, dueAt: message.postedAt };
    await tx.update(watchAlerts).set(gone).where(eq(watchAlerts.messageId, message.id));
  },
  async adopt(tx, sent, now) {
    const adopted = await adoptDigest(tx, sent, now);
    if (adopted === null) return false;
    const { watch, environment, said } = adopted;
    // What is recorded again isn't news, though it is by a later clock.
    await noteTold(tx, watch, { id: sent.id, environment }, { said, at: now });
    return true;
  },
  shutOut: shutOutOfChannel,
});

const MUTES_FOR_DAYS = 8;

/** Says all that the watch has to post by now, also what its pace would hold back alone. */
async function drawFirst(
  ctx: MentionCtx & { db: Db },
  message: MessageRow,
  watch: Watch,
  at: Date,
): Promise<Draft<DigestContent>> {
  const { db } = ctx;
  const { environment } = message;
  const mutes = await mutesEndingAfter(db, watch.id, subDays(at, MUTES_FOR_DAYS));
  const hold = holdOf(watch, mutes, at);
  if (hold !== null) return { is: 'held', until: min([hold.until, addMilliseconds(at, MINUTE_MS)]) };
  const version = (await cursorOf(db, watch.id, environment))?.version ?? 0;
  const view = viewOf(watch, environment, mutes, at);
  const covered = await coveredBy(db, view, await comparedIn(db, view, version));
  const posts = covered.flatMap((row) => {
    const decision = decide(row.candidate, at);
    return decision.is === 'post' ? [{ ...row, decision }] : [];
  });
  if (posts.length === 0) return { is: 'untrue', why: 'nothing of it is to be told any more' };
  const ids = posts.map(({ incident }) => incident.id);
  const entries = await newestEntries(db, ids);
  const mentionOf = await mentionsOf(ctx, watch, ids, at);
  const says = posts.map(
    ({ incident, outbreak, alert, counts, badness, candidate, decision }): [number, DigestSays] => {
      const mutedSince = candidate.hold?.incidentMutedSince ?? null;
      const brokenMute = mutes.find(
        ({ incidentId, beginsAt }) =>
          incidentId === incident.id && mutedSince !== null && isEqual(beginsAt, mutedSince),
      );
      return [
        incident.id,
        {
          reason: decision.reason,
          outbreak: outbreak.number,
          badness,
          critical: counts.critical,
          failures: counts.failures,
          entryId: entries.get(incident.id) ?? 0,
          rings: decision.rings,
          ...mentionSaid(decision.rings ? mentionOf(incident.id) : null),
          missed:
            brokenMute !== undefined || isMissed(alert, decision)
              ? missedOf(alert, outbreak.number, counts.failures)
              : null,
          broke: brokenMute === undefined ? null : { actor: brokenMute.mutedBy, until: brokenMute.until },
          shownBadness: badness,
          filter: watch.settings.filter,
        },
      ];
    },
  );
  return drawWith(db, message, new Map(says), { watch, at, mutes });
}

const mentionSaid = (whom: Mentioned | null): Pick<DigestSays, 'mentions' | 'mentionsOnly'> => ({
  mentions: whom !== null,
  mentionsOnly: whom?.kind === 'people' ? [...whom.ids] : null,
});

function mentionIn(says: readonly DigestSays[], { settings }: Watch): Mentioned | null {
  const mentioning = says.filter(({ mentions }) => mentions);
  if (mentioning.length === 0) return null;
  if (mentioning.some(({ mentionsOnly }) => mentionsOnly === null)) return settings.mention;
  return { kind: 'people', ids: [...new Set(mentioning.flatMap(({ mentionsOnly }) => mentionsOnly ?? []))] };
}

const isMissed = (alert: AlertRow | null, decision: Decision): boolean =>
  (decision.is === 'post' && decision.reason === 'missed') || alert?.heldBy === 'mute';

const missedOf = (alert: AlertRow | null, outbreak: number, failures: number): number | null =>
  failures - (alert?.outbreak === outbreak ? alert.failures : 0) || null;

async function drawAgain(db: Db, message: MessageRow, watch: Watch, at: Date): Promise<Draft<DigestContent>> {
  const says = digestSays(await saidBy(db, message.id));
  const mutes = await mutesEndingAfter(db, watch.id, at);
  return drawWith(db, message, says, { watch, at, mutes });
}

interface Drawing {
  watch: Watch;
  at: Date;
  mutes: readonly WatchMute[];
}

async function drawWith(
  db: Db,
  message: MessageRow,
  says: ReadonlyMap<number, DigestSays>,
  { watch, at, mutes }: Drawing,
): Promise<Draft<DigestContent>> {
  const ids = [...says.keys()];
  const incidents = await incidentsNow(db, ids, filterToldBy(says, watch), at);
  const alerts = ids.length === 0 ? [] : await db.select().from(watchAlerts).where(isAlertOf(watch.id, ids));
  const older = await olderPosts(db, message, ids);
  const drawnRows = [...says].flatMap(([id, saysOfIncident]): DigestRow[] => {
    const incident = incidents.get(id);
    if (incident === undefined) return [];
    const alert = alerts.find(({ incidentId }) => incidentId === id);
    const isContinued = message.state === 'posted' && alert !== undefined && alert.messageId !== message.id;
    const mute = muteOf(mutes, { incident: { ...incident, state: incident.state.is }, alert: alert ?? null }, at);
    const { reason, missed, broke } = saysOfIncident;
    return [{ incident, reason, missed, broke, mute, isContinued, olderTs: older.get(id) ?? null }];
  });
  if (drawnRows.length === 0) return { is: 'untrue', why: 'what it was about is no longer kept' };
  // A single that became a row of a newer message is counted there.
  const singles = drawnRows.filter(({ reason, isContinued }) => reason === 'single' && !isContinued);
  const notSingles = drawnRows.filter(({ reason }) => reason !== 'single');
  const rows = notSingles.length + singles.length === 0 ? drawnRows : notSingles;
  const ordered = rows.toSorted((a, b) => rankOf(a) - rankOf(b) || compareIncidents(a.incident, b.incident));
  const { id, channel, environment } = message;
  const live = drawnRows.filter(({ isContinued }) => !isContinued).map(({ incident }) => incident);
  const content: DigestContent = {
    kind: 'digest',
    id,
    channel,
    watchId: watch.id,
    environment,
    rows: ordered.slice(0, DIGEST_ROWS),
    moreIncidents: Math.max(0, ordered.length - DIGEST_ROWS),
    counted: ordered.slice(DIGEST_ROWS),
    singles: singles.map(({ incident }) => incident),
    mention: mentionIn([...says.values()], watch),
  };
  const shownIds = new Set(content.rows.map(({ incident }) => incident.id));
  const said = [...says].map(([incidentId, saysOfIncident]): Said => {
    const isCounted = saysOfIncident.reason !== 'single' && message.state !== 'posted' && !shownIds.has(incidentId);
    return {
      subject: subjectOf(incidentId),
      says: storedSays(isCounted ? asCounted(saysOfIncident) : saysNow(saysOfIncident, incidents.get(incidentId))),
    };
  });
  const knownBy = JSON.stringify(sentDigestOf(content));
  return { is: 'drawn', content, said, knownBy, nextAt: nextDrawingOf(live, at), isLast: live.length === 0 };
}

/** What a digest only counts ("13 more") wasn't told: how bad it is can still ring. */
const asCounted = (says: DigestSays): DigestSays => ({ ...says, badness: 'one', critical: false, rings: false });

const saysNow = (says: DigestSays, incident: IncidentNow | undefined): DigestSays =>
  incident === undefined ? says : { ...says, shownBadness: incident.badness };

function rankOf({ incident, isContinued }: DigestRow): number {
  if (isContinued) return 2;
  return isFiring(incident.state) ? 0 : 1;
}

const COUNTS_EVERY_MS = 5 * MINUTE_MS;

/** Attempts and successes grow without a new failure, too, and a gap is caught up on. */
function nextDrawingOf(live: readonly IncidentNow[], at: Date): Date | null {
  const isCatchingUp = live.some(
    ({ outage }) => outage !== null && outage.gap !== null && outage.gap.closedAt === null,
  );
  if (isCatchingUp) return addMilliseconds(at, MINUTE_MS);
  const isCounting = live.some(({ state }) => state.is === 'firing' || state.is === 'recovering');
  return isCounting ? addMilliseconds(at, COUNTS_EVERY_MS) : null;
}

const OlderRow = z.object({ subject: z.string(), ts: z.string() });

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
