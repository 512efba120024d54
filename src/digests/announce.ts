import { addMilliseconds, differenceInMilliseconds, max, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { dueForAnnouncing, noteAnnounced } from '../coverage/environments.ts';
import { tellEscalation } from '../incidents/actions.ts';
import { settleIncidents } from '../incidents/settle.ts';
import { type Environment, sharingWith } from '../lib/environment.ts';
import { inTurn, throwIfAny } from '../lib/in-turn.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { putAlerts } from '../outbox/alerts.ts';
import { enqueue, joinWaiting, noteInThreads, redraw } from '../outbox/messages.ts';
import type { Ctx } from '../store/ctx.ts';
import { type Db, jsonOf } from '../store/db.ts';
import { endMutes, maySpeak } from '../watches/running-mutes.ts';
import { isAbout, tellsFor, type Watch } from '../watches/settings.ts';
import { lockedWatch, watches } from '../watches/watches.ts';
import { lastToldOf, newsFor, toldNow } from './alerts.ts';
import { breaksMute, type Decision, decide, messageOf } from './decide.ts';
import { createNoNews, type NoNews } from './no-news.ts';
import { announceNotices } from './notices.ts';
import { candidatesIn, type IncidentCandidate } from './pending.ts';

export interface AnnounceAllCtx extends Ctx {
  environments: readonly Environment[];
  polls: { isRecording: (environment: string) => boolean };
  pollMs: number;
}

/** The ends of mutes and quiet hours don't wait for a poll that comes seldom. */
export function announceEveryMs(pollMs: number): number {
  return Math.min(pollMs, MINUTE_MS);
}

/** Polls may follow one another without a pause. */
const LONGEST_WAIT_MS = 10_000;

export function createAnnouncing(ctx: AnnounceAllCtx): (signal: AbortSignal) => Promise<void> {
  const { db, environments, polls, logger, now, pollMs } = ctx;
  const noNews = createNoNews();
  const waitsSince = new Map<string, Date>();
  return async (signal) => {
    const errors = await inTurn(
      await dueForAnnouncing(db, subMilliseconds(now(), announceEveryMs(pollMs))),
      async (due) => {
        const { environment } = due;
        const configured = environments.find(({ name }) => name === environment);
        if (configured === undefined || signal.aborted) return;
        const since = waitsSince.get(environment) ?? now();
        const isLong = Math.abs(differenceInMilliseconds(now(), since)) >= LONGEST_WAIT_MS;
        if (polls.isRecording(environment) && !isLong) return void waitsSince.set(environment, since);
        await announce(ctx, environment, sharingWith(configured, environments), noNews);
        waitsSince.delete(environment);
        await noteAnnounced(db, due, now());
      },
      ({ environment }, err) =>
        logger.error({ environment, err }, "Alerts couldn't be written, trying again within a minute"),
    );
    throwIfAny(errors, "environments couldn't be told");
  };
}

export async function announce(
  ctx: Ctx,
  environment: string,
  sharing: readonly string[] = [],
  noNews: NoNews = createNoNews(),
): Promise<void> {
  const { db, logger } = ctx;
  const now = ctx.now();
  await settleIncidents(db, environment, now);
  const about = (await watches(db)).filter(({ settings }) => isAbout(settings.filter, environment));
  // What calls somebody and covers most tells first: the others of its channel then have nothing to add.
  const callsNobody = ({ settings }: Watch) => Number(settings.mention === null);
  const rankOf = (watch: Watch) => about.filter((other) => tellsFor(other, watch)).length;
  const concerned = about.toSorted((a, b) => callsNobody(a) - callsNobody(b) || rankOf(a) - rankOf(b));
  const round = { environment, sharing, noNews };
  const errors = await inTurn(
    concerned,
    async (watch) => {
      const { news } = await newsFor(db, watch, environment, now);
      if (news.every((row) => noNews.has(watch, row))) return;
      const messageId = await db.transaction((tx) => announceTo(tx, watch.id, round, now));
      if (messageId !== null) logger.info({ environment, watchId: watch.id, messageId }, 'Digest written');
    },
    ({ id: watchId }, err) =>
      logger.error({ environment, watchId, err }, "Watch couldn't be told, trying again within a minute"),
  );
  await announceNotices(ctx, concerned, environment);
  throwIfAny(errors, "watches couldn't be told");
}

interface Round {
  environment: string;
  /** The others of its service. */
  sharing: readonly string[];
  noNews: NoNews;
}

async function announceTo(tx: Db, watchId: string, round: Round, now: Date): Promise<string | null> {
  const { environment, sharing, noNews } = round;
  const watch = await lockedWatch(tx, watchId);
  if (watch === null) return null;
  const { news, mutes, since, watchIds } = await newsFor(tx, watch, environment, now);
  if (!maySpeak(watch, mutes, now)) return null;
  const mayBeNews = news.filter((row) => !noNews.has(watch, row));
  const candidates = await candidatesIn(tx, watch, { environment, news: mayBeNews, mutes, since }, now);
  const ids = new Set(candidates.map(({ incident }) => incident.id));
  noNews.note(
    watch,
    environment,
    news.filter(({ id }) => !ids.has(id)),
  );
  const tellings: Telling[] = [];
  for (const candidate of candidates) {
    const known = await unmuted(tx, candidate, watchIds, now);
    const decision = decide(known, now);
    if (decision !== null) tellings.push({ ...known, ...decision });
  }
  await writeLines(
    tx,
    tellings.filter(({ as }) => as === 'line'),
    now,
  );
  const posts = await unshared(
    tx,
    { watchId, sharing },
    tellings.filter(({ as }) => as === 'post'),
    now,
  );
  for (const { incident, reason } of tellings) if (reason === 'escalated') await tellEscalation(tx, incident, now);
  return write(tx, watch, { environment, posts }, now);
}

type Telling = IncidentCandidate & Decision;

/** In watches that tell the same in its channel, too. */
async function unmuted(tx: Db, candidate: IncidentCandidate, watchIds: readonly string[], now: Date) {
  const why = candidate.isMuted ? breaksMute(candidate) : null;
  if (why === null) return candidate;
  await endMutes(tx, [candidate.incident.id], { why, at: now }, watchIds);
  return { ...candidate, isMuted: false };
}

/** An edit shows what got worse, and a line in the thread says so. */
async function writeLines(tx: Db, tellings: readonly Telling[], now: Date): Promise<void> {
  for (const { incident, reason } of tellings) {
    const { id, last } = incident;
    if (last === null || !isLine(reason)) continue;
    const told = toldNow(incident);
    await putAlerts(tx, [{ ...last, ...told, missed: null, escalated: told.escalated || reason === 'escalated' }]);
    await redraw(tx, [id], now);
    await noteInThreads(tx, [id], { what: reason, by: null, at: now }, last.watchId);
  }
}

const LINES = ['critical', 'grown', 'escalated', 'flared'] as const;

function isLine(reason: Decision['reason']): reason is (typeof LINES)[number] {
  return LINES.some((line) => line === reason);
}

const SharedRow = z.object({ messageId: z.string() });

/** What begins in environments of one service at the same time is told in one message. Returns the others. */
async function unshared(
  tx: Db,
  { watchId, sharing }: Pick<Round, 'sharing'> & { watchId: string },
  posts: readonly Telling[],
  now: Date,
) {
  const others: Telling[] = [];
  for (const post of posts) {
    const { id, gapId, causeKey } = post.incident;
    const values = [watchId, jsonOf(sharing), causeKey, subMilliseconds(now, SHARED_MS)];
    const [shared] = gapId === null ? [] : await tx.rows(SharedRow, SHARED, values);
    if (shared === undefined) {
      others.push(post);
      continue;
    }
    await putAlerts(tx, [alertOf(shared.messageId, watchId, post, now)]);
    await redraw(tx, [id], now);
  }
  return others;
}

const SHARED_MS = 5 * MINUTE_MS;

const SHARED = `
  SELECT a.message_id FROM alerts a JOIN incidents i ON i.id = a.incident_id JOIN messages m ON m.id = a.message_id
  WHERE a.watch_id = $1 AND $2::jsonb ? i.environment AND i.gap_id IS NOT NULL AND i.cause_key = $3 AND a.at >= $4
    AND m.state <> 'gone' ORDER BY a.at DESC LIMIT 1`;

function alertOf(messageId: string, watchId: string, { incident, missed, reason }: Telling, now: Date) {
  const told = toldNow(incident);
  return {
    ...{ messageId, watchId, incidentId: incident.id, reason, missed: missed || null },
    at: max([now, addMilliseconds(incident.last?.at ?? 0, 1)]),
    ...{ ...told, escalated: told.escalated || reason === 'escalated' },
  };
}

/** It joins a message not yet begun, so that there is one when Slack is back. */
async function write(
  tx: Db,
  { id: watchId, settings }: Watch,
  { environment, posts }: { environment: string; posts: readonly Telling[] },
  now: Date,
): Promise<string | null> {
  if (posts.length === 0) return null;
  const joined = await joinWaiting(tx, watchId, environment);
  const pace = { everyMs: settings.everyMs, ...(await lastToldOf(tx, watchId, environment)) };
  const told = joined !== null ? posts : messageOf(posts, pace, now);
  if (told.length === 0) return null;
  const added = { watchId, environment, kind: 'digest', createdAt: now } as const;
  const id = joined ?? (await enqueue(tx, added));
  if (id === null) throw new Error('a digest was not written');
  await putAlerts(
    tx,
    told.map((telling) => alertOf(id, watchId, telling, now)),
  );
  return id;
}
