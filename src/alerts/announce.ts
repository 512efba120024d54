import { addMilliseconds, subMilliseconds } from 'date-fns';
import { dueForAnnouncing, environmentOf, noteAnnounced } from '../coverage/environments.ts';
import { settleIncidents } from '../incidents/settle.ts';
import { noteSilences } from '../incidents/silences.ts';
import type { Environment } from '../lib/environment.ts';
import { inTurn } from '../lib/in-turn.ts';
import type { ClockGuard } from '../lib/time/clock-guard.ts';
import { MINUTE_MS } from '../lib/time/durations.ts';
import { enqueue, postAtOnce, waitingIn } from '../outbox/messages.ts';
import type { Ctx, Db } from '../store/db.ts';
import { isAbout } from '../watches/covers.ts';
import { isReadable, type Watch } from '../watches/settings.ts';
import { lockedWatch, watchesIn } from '../watches/watches.ts';
import { adoptLater } from './adopt.ts';
import { noteContinued, putAlerts, updateAlerts } from './alert-rows.ts';
import { type Compared, type Covered, comparedIn, coveredBy, type View, viewBy } from './candidates.ts';
import { announceChanges } from './changes.ts';
import { cursorOf, putCursor, watchesToCompare } from './cursors.ts';
import { type Decision, decide, type PostReason } from './decide.ts';
import { enqueueLine } from './lines.ts';
import { pacedPosts } from './pace.ts';
import { inOrder, toldByOthers } from './rivals.ts';
import type { AlertCursorRow, AlertRow } from './tables.ts';
import { tellTimeline } from './tell-timeline.ts';
import { noteWatchEdit } from './watch-edit.ts';

export interface AnnounceCtx extends Ctx {
  horizonMs: number;
  clock: ClockGuard;
  /** A digest doesn't wait for other watches' to be written. */
  wakeOutbox: () => Promise<void>;
}

export interface AnnounceAllCtx extends AnnounceCtx {
  environments: readonly Environment[];
  polls: { isRecording: (environment: string) => boolean };
  pollMs: number;
}

/** The end of a mute or of quiet hours doesn't wait for a rare poll. */
export function announceEveryMs(pollMs: number): number {
  return Math.min(pollMs, MINUTE_MS);
}

/** Alerts wait no longer for polls that follow one another without a pause. */
const LONGEST_WAIT_MS = 10_000;

export function createAnnouncing(ctx: AnnounceAllCtx): (signal: AbortSignal) => Promise<void> {
  const { db, environments, polls, logger, now, pollMs } = ctx;
  const waitsSince = new Map<string, Date>();
  return async (signal) => {
    await inTurn(
      await dueForAnnouncing(db, subMilliseconds(now(), announceEveryMs(pollMs))),
      async (due) => {
        const { environment } = due;
        if (!environments.some(({ name }) => name === environment) || signal.aborted) return;
        const since = waitsSince.get(environment) ?? now();
        const hasWaitedLong = Math.abs(now().getTime() - since.getTime()) >= LONGEST_WAIT_MS;
        if (polls.isRecording(environment) && !hasWaitedLong) return void waitsSince.set(environment, since);
        await announce(ctx, environment);
        waitsSince.delete(environment);
        await noteAnnounced(db, due, now());
      },
      ({ environment }, err) =>
        logger.error({ environment, err }, "Alerts couldn't be written, trying again within a minute"),
    );
  };
}

/**
 * A pass over an environment: what happened is settled, then each watch compares it with what it has told, then the timeline becomes lines and direct
 * messages. Each step reads what was recorded and remembers how far it got.
 */
export async function announce(ctx: AnnounceCtx, environment: string): Promise<void> {
  const { db, logger, horizonMs } = ctx;
  const now = ctx.now();
  await noteSilences(db, environment, { now, isSure: ctx.clock.isSure() });
  await settleIncidents(db, environment, horizonMs, now);
  const version = (await environmentOf(db, environment))?.version ?? 0;
  const concerned = (await watchesIn(db)).filter(
    (watch) => isReadable(watch) && isAbout(watch.settings.filter, environment),
  );
  const compared = await watchesToCompare(db, environment, concerned, now);
  const writing = inTurn(
    inOrder(compared, concerned),
    async (watch) => {
      const messageId = await db.transaction(async (tx) => {
        const locked = await lockedWatch(tx, watch.id);
        return locked === null ? null : announceTo(tx, locked, { environment, version, others: concerned }, now);
      });
      if (messageId === null) return;
      logger.info({ environment, watchId: watch.id, messageId }, 'Digest written');
      await ctx.wakeOutbox();
    },
    ({ id: watchId }, err) =>
      logger.error({ environment, watchId, err }, "Watch couldn't be notified, trying again within a minute"),
  );
  // What happened is told also if a watch couldn't be notified.
  await writing
    .finally(() => tellTimeline(db, environment, version, now))
    .finally(() => announceChanges(db, environment, now));
}

interface Round {
  environment: string;
  /** The environment's version when its incidents were settled. */
  version: number;
  /** Watches about the environment. */
  others: readonly Watch[];
}

/**
 * Compares an environment's incidents with what the watch has told of them. Whatever it owes is noted in its alerts, and a digest waits to tell it:
 * what that says is decided when it's posted. Returns the digest's ID if one was begun. Needs a lock on the watch.
 */
async function announceTo(tx: Db, watch: Watch, round: Round, now: Date): Promise<string | null> {
  const { environment, version } = round;
  const cursor = await cursorOf(tx, watch.id, environment);
  const view = await viewBy(tx, watch, environment, now);
  await renewTold(tx, view, cursor);
  const compared = await comparedIn(tx, view, cursor?.version ?? 0);
  const covered = await coveredBy(tx, view, compared);
  const othersTell = await toldByOthers(tx, view, round.others, covered);
  const decided = covered.map((row): Decided => ({ ...row, decision: decisionFor(row, othersTell, now) }));
  await noteUncovered(tx, watch, compared, covered);
  await noteDecisions(tx, watch, decided, now);
  const posts = decided.flatMap(postIn);
  for (const row of decided) if (row.decision.is === 'line') await enqueueLine(tx, view, row, row.decision.what);
  await putCursor(tx, watch, environment, version);
  const { lastPostedAt = null, lastNotifiedAt = null } = cursor ?? {};
  const ready = pacedPosts(posts, { everyMs: watch.settings.everyMs, lastPostedAt, lastNotifiedAt }, now);
  return ready.length === 0 ? null : digestFor(tx, watch, environment, now);
}

/** What was told changes between passes: as the watch was edited, a digest's incidents are recorded again, or one goes on as another. */
async function renewTold(tx: Db, view: View, cursor: AlertCursorRow | null): Promise<void> {
  const { watch, environment, now } = view;
  if (cursor !== null) await noteWatchEdit(tx, view, cursor);
  await adoptLater(tx, watch, environment, now);
  await noteContinued(tx, watch.id, environment, cursor?.version ?? 0);
}

/** An incident, and what the watch is to do about it now. */
interface Decided extends Covered {
  decision: Decision;
}

interface Post {
  incidentId: number;
  reason: PostReason;
  isUrgent: boolean;
}

/** Urgent beside the reasons in pace.ts: what rings for an incident that is critical or fails every attempt, unless it's a single. */
function postIn({ incident, badness, counts, decision }: Decided): Post[] {
  if (decision.is !== 'post') return [];
  const isUrgent = decision.rings && (badness === 'every' || counts.critical) && decision.reason !== 'single';
  return [{ incidentId: incident.id, reason: decision.reason, isUrgent }];
}

function decisionFor(row: Covered, othersTell: ReadonlySet<number>, now: Date): Decision {
  const decision = decide(row.candidate, now);
  const isTold = decision.is === 'post' && othersTell.has(row.incident.id);
  // Until another watch has told it, which may fail, it's looked at again.
  return isTold ? { is: 'nothing', dueAt: addMilliseconds(now, MINUTE_MS) } : decision;
}

/** Incidents that the watch isn't about any more are looked at again only when they change. */
async function noteUncovered(
  tx: Db,
  watch: Watch,
  compared: readonly Compared[],
  covered: readonly Covered[],
): Promise<void> {
  const ids = new Set(covered.map(({ incident }) => incident.id));
  const due = compared.flatMap(({ incident, alert }) => (alert !== null && alert.dueAt !== null ? [incident.id] : []));
  const left = due.filter((id) => !ids.has(id));
  await updateAlerts(tx, watch.id, left, { dueAt: null });
}

async function noteDecisions(tx: Db, watch: Watch, decided: readonly Decided[], now: Date): Promise<void> {
  const changed = decided.flatMap(({ alert, decision, incident: { id: incidentId, environment } }) => {
    const found = foundBy(decision, alert, now);
    return isSame(found, alert) ? [] : [{ watchId: watch.id, incidentId, environment, ...found }];
  });
  await putAlerts(tx, changed);
}

const isSame = (found: Found, alert: Found | null): boolean =>
  found.owedSince?.getTime() === alert?.owedSince?.getTime() &&
  found.dueAt?.getTime() === alert?.dueAt?.getTime() &&
  found.heldBy === (alert?.heldBy ?? null);

/** What a pass finds of an incident. */
type Found = Pick<AlertRow, 'owedSince' | 'heldBy' | 'dueAt'>;

/** What is owed by a decision. Only telling clears a debt. */
function foundBy(decision: Decision, alert: AlertRow | null, now: Date): Found {
  const before = { owedSince: alert?.owedSince ?? null, heldBy: alert?.heldBy ?? null };
  switch (decision.is) {
    case 'post':
      return { ...before, owedSince: before.owedSince ?? now, dueAt: null };
    case 'held':
      return { owedSince: before.owedSince ?? now, heldBy: decision.why, dueAt: decision.until };
    case 'line':
      return { ...before, dueAt: null };
    case 'nothing':
      return { ...before, dueAt: decision.dueAt };
  }
}

async function digestFor(tx: Db, watch: Watch, environment: string, now: Date): Promise<string | null> {
  const orderGroup = `${watch.id} ${environment}`;
  const waiting = await waitingIn(tx, orderGroup);
  // What joins a message that waits for its next try is posted with it at once.
  if (waiting !== null) {
    await postAtOnce(tx, waiting);
    return null;
  }
  const { id: owner, channel } = watch;
  return enqueue(tx, { kind: 'digest', owner, channel, environment, orderGroup, createdAt: now });
}
