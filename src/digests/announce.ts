import { addMilliseconds, max, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { dueForAnnouncing, noteAnnounced } from '../coverage/environments.ts';
import { notifyOfEscalation } from '../incidents/actions.ts';
import { settleIncidents } from '../incidents/settle.ts';
import { type Environment, othersOnHost } from '../lib/environment.ts';
import { groupBy } from '../lib/group-by.ts';
import { inTurn } from '../lib/in-turn.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { isLineReason } from '../outbox/kinds.ts';
import { enqueue, joinWaiting, noteInThreads, putAlerts, redraw } from '../outbox/messages.ts';
import { type Ctx, type Db, jsonOf } from '../store/db.ts';
import { endMutes, isSilenced } from '../watches/mutes.ts';
import { isAbout, notifiesFor, type Watch } from '../watches/settings.ts';
import { lockedWatch, watchesIn } from '../watches/watches.ts';
import { type Decision, decide, messageOf, muteEndReason } from './decide.ts';
import { announceNotices } from './notices.ts';
import {
  alertSnapshot,
  candidatesIn,
  type IncidentCandidate,
  lastAlertTimes,
  type Pending,
  pendingFor,
} from './pending.ts';

export interface AnnounceAllCtx extends Ctx {
  environments: readonly Environment[];
  polls: { isRecording: (environment: string) => boolean };
  pollMs: number;
}

/** The end of a mute or of quiet hours doesn't wait for a rare poll. */
export function announceEveryMs(pollMs: number) {
  return Math.min(pollMs, MINUTE_MS);
}

/** Alerts wait no longer for polls that follow one another without a pause. */
const LONGEST_WAIT_MS = 10_000;

export function createAnnouncing(ctx: AnnounceAllCtx) {
  const { db, environments, polls, logger, now, pollMs } = ctx;
  const skipped: Skipped = new Map();
  const waitsSince = new Map<string, Date>();
  return async (signal: AbortSignal) => {
    await inTurn(
      await dueForAnnouncing(db, subMilliseconds(now(), announceEveryMs(pollMs))),
      async (due) => {
        const { environment } = due;
        const configured = environments.find(({ name }) => name === environment);
        if (configured === undefined || signal.aborted) return;
        const since = waitsSince.get(environment) ?? now();
        const hasWaitedLong = Math.abs(now().getTime() - since.getTime()) >= LONGEST_WAIT_MS;
        if (polls.isRecording(environment) && !hasWaitedLong) return void waitsSince.set(environment, since);
        await announce(ctx, environment, othersOnHost(configured, environments), skipped);
        waitsSince.delete(environment);
        await noteAnnounced(db, due, now());
      },
      ({ environment }, err) =>
        logger.error({ environment, err }, "Alerts couldn't be written, trying again within a minute"),
    );
  };
}

export async function announce(
  ctx: Ctx,
  environment: string,
  sameService: readonly string[] = [],
  skipped: Skipped = new Map(),
) {
  const { db, logger } = ctx;
  const now = ctx.now();
  await settleIncidents(db, environment, now);
  const concerned = (await watchesIn(db)).filter(({ settings }) => isAbout(settings.filter, environment));
  // Watches with a mention come first, then the widest: others of a channel may have nothing to add.
  const mentionsNobody = ({ settings }: Watch) => Number(settings.mention === null);
  const byChannel = groupBy(concerned, ({ channel }) => channel);
  const rankOf = (watch: Watch) =>
    (byChannel.get(watch.channel) ?? []).filter((other) => notifiesFor(other, watch)).length;
  const ranks = new Map(concerned.map((watch) => [watch.id, rankOf(watch)]));
  const rank = ({ id }: Watch) => ranks.get(id) ?? 0;
  const ordered = concerned.toSorted((a, b) => mentionsNobody(a) - mentionsNobody(b) || rank(a) - rank(b));
  const round = { environment, sameService, skipped };
  const writing = inTurn(
    ordered,
    async (watch) => {
      const { pending } = await pendingFor(db, watch, environment, now);
      if (notSkipped(pending, watch, round).length === 0) return;
      const messageId = await db.transaction((tx) => announceTo(tx, watch.id, round, now));
      if (messageId !== null) logger.info({ environment, watchId: watch.id, messageId }, 'Digest written');
    },
    ({ id: watchId }, err) =>
      logger.error({ environment, watchId, err }, "Watch couldn't be notified, trying again within a minute"),
  );
  await writing.finally(() => announceNotices(ctx, ordered, environment));
}

/** Versions of incidents that were skipped, by watch and environment: counting is slow. */
type Skipped = Map<string, ReadonlySet<string>>;

interface Round {
  environment: string;
  sameService: readonly string[];
  skipped: Skipped;
}

const keyOf = ({ id }: Watch, { environment }: Round) => `${id} ${environment}`;
const versionOf = ({ id, recorded, verdicts }: Pending) => `${id} ${recorded} ${verdicts}`;

function notSkipped(pending: readonly Pending[], watch: Watch, round: Round) {
  const known = round.skipped.get(keyOf(watch, round));
  return pending.filter((row) => row.isDue || !known?.has(versionOf(row)));
}

async function announceTo(tx: Db, watchId: string, round: Round, now: Date) {
  const { environment, sameService, skipped } = round;
  const watch = await lockedWatch(tx, watchId);
  if (watch === null) return null;
  const all = await pendingFor(tx, watch, environment, now);
  const { pending, mutes, watchIds } = all;
  if (isSilenced(watch, mutes, now)) return null;
  const candidates = await candidatesIn(tx, watch, { ...all, pending: notSkipped(pending, watch, round) }, now);
  const ids = new Set(candidates.map(({ incident }) => incident.id));
  const skippedNow = pending.filter(({ id }) => !ids.has(id));
  skipped.set(keyOf(watch, round), new Set(skippedNow.map(versionOf)));
  const posts: Decided[] = [];
  for (const candidate of candidates) {
    const { incident } = candidate;
    const why = candidate.isMuted ? muteEndReason(candidate) : null;
    // The mute ends also in the channel's watches that cover as much.
    if (why !== null) await endMutes(tx, [incident.id], { why, at: now }, watchIds);
    const decision = decide(candidate, now);
    if (decision === null) continue;
    const decided = { ...candidate, ...decision, watchId };
    if (decision.as === 'line') await writeLine(tx, decided, now);
    else if (!(await joinShared(tx, decided, sameService, now))) posts.push(decided);
    if (decision.reason === 'escalated') await notifyOfEscalation(tx, incident, now);
  }
  return writeDigest(tx, watch, posts, now);
}

type Decided = IncidentCandidate & Decision & { watchId: string };

async function writeLine(tx: Db, decided: Decided, now: Date) {
  const { id, last } = decided.incident;
  const { reason: what } = decided;
  if (last === null || !isLineReason(what)) return;
  const alert = alertOf(last.messageId, decided, now);
  // Only a critical line renews the time from which an escalation counts.
  await putAlerts(tx, [what === 'critical' ? alert : { ...alert, at: last.at }]);
  await redraw(tx, [id], now);
  await noteInThreads(tx, [id], { what, actor: null, at: now }, last.watchId);
}

const SharedRow = z.object({ messageId: z.string() });

/** Outages that begin together in environments of one service share a message. */
async function joinShared(tx: Db, post: Decided, sameService: readonly string[], now: Date) {
  const { id, gapId, causeKey } = post.incident;
  if (gapId === null) return false;
  const values = [post.watchId, jsonOf(sameService), causeKey, subMilliseconds(now, SHARED_MS), id];
  const [shared] = await tx.rows(SharedRow, SHARED, values);
  if (shared === undefined) return false;
  await putAlerts(tx, [alertOf(shared.messageId, post, now)]);
  await redraw(tx, [id], now);
  return true;
}

const SHARED_MS = 5 * MINUTE_MS;

const SHARED = `
  SELECT a.message_id FROM alerts a JOIN incidents i ON i.id = a.incident_id JOIN messages m ON m.id = a.message_id
  WHERE a.watch_id = $1 AND $2::jsonb ? i.environment AND i.gap_id IS NOT NULL AND i.cause_key = $3 AND a.at >= $4
    AND m.state <> 'gone' AND NOT EXISTS (SELECT FROM alerts o WHERE o.message_id = m.id AND o.incident_id = $5) ORDER BY a.at DESC LIMIT 1`;

function alertOf(messageId: string, { incident, missed, reason, watchId }: Decided, now: Date) {
  const snapshot = alertSnapshot(incident);
  const at = max([now, addMilliseconds(incident.last?.at ?? 0, 1)]);
  const escalated = snapshot.escalated || reason === 'escalated';
  return { ...snapshot, messageId, watchId, incidentId: incident.id, reason, missed: missed || null, at, escalated };
}

/** Alerts join a waiting message, so that Slack gets one digest when it's back. */
async function writeDigest(tx: Db, { id: watchId, settings }: Watch, posts: readonly Decided[], now: Date) {
  const environment = posts[0]?.incident.environment;
  if (environment === undefined) return null;
  const waitingId = await joinWaiting(tx, watchId, environment);
  const pace = { everyMs: settings.everyMs, ...(await lastAlertTimes(tx, watchId, environment)) };
  const ready = waitingId !== null ? posts : messageOf(posts, pace, now);
  if (ready.length === 0) return null;
  const id = waitingId ?? (await enqueue(tx, { watchId, environment, kind: 'digest', createdAt: now }));
  if (id === null) throw new Error('a digest was not written');
  const alerts = ready.map((post) => alertOf(id, post, now));
  await putAlerts(tx, alerts);
  return id;
}
