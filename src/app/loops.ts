import { type AnnounceAllCtx, announceEveryMs, createAnnouncing } from '../alerts/announce.ts';
import { EVERY_MS as ALERTMANAGER_MS } from '../alerts/pager.ts';
import { readIntegrations } from '../changes/integrations.ts';
import { POLL_LIMIT_MS } from '../coverage/lag.ts';
import { mergeOldCounts } from '../coverage/old-counts.ts';
import { type CallHeartbeat, type HeartbeatCtx, sendHeartbeat } from '../health/heartbeat.ts';
import type { SlackCheck } from '../health/slack-check.ts';
import type { Strangers } from '../health/strangers.ts';
import { logUnreadable } from '../health/unreadable.ts';
import type { Loop } from '../lib/loop.ts';
import type { ClockGuard } from '../lib/time/clock-guard.ts';
import { HOUR_MS, MINUTE_MS as MIN, SECOND_MS as SEC } from '../lib/time/durations.ts';
import { nextDueAt } from '../outbox/backlog.ts';
import { createPosting } from '../outbox/deliver.ts';
import type { DeliverCtx } from '../outbox/delivery-common.ts';
import { type PollCtx, pollPresent } from '../polling/poll.ts';
import { pollPast } from '../polling/read-past.ts';
import { tryReading } from '../polling/try-reading.ts';
import { createSummarizer } from '../reports/summarizer.ts';
import type { NotificationService } from '../service/operations.ts';
import { databaseNow } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import { prune as pruneRows } from '../store/prune.ts';
import type { Content } from './kinds.ts';
import { createMasking } from './masking.ts';

type Run = Loop['run'];

export interface LoopsCtx
  extends Omit<PollCtx, 'wakePast'>,
    AnnounceAllCtx,
    DeliverCtx<Content>,
    HeartbeatCtx,
    Pick<OpenDb, 'vacuum'> {
  polls: PollCtx['polls'];
  serviceOf: (environment: string) => NotificationService;
  wake: (loop: string) => Promise<void>;
  wakeOutbox: () => Promise<void>;
  continueSendings: Run;
  callHeartbeat: CallHeartbeat | null;
  notifyAlertmanager: Run | null;
  slackCheck: Pick<SlackCheck, 'run' | 'trouble'>;
  strangers: Pick<Strangers, 'run'>;
  /** True once Slack's workspace is known to be that of the stored messages. */
  isAtHome: () => boolean;
  retentionDays: number;
  clock: ClockGuard;
  /** An embedded database follows our clock, and has no vote. */
  isEmbedded: boolean;
}

export const ANNOUNCE = 'announce';
export const DELIVER = 'deliver';
export const PRUNE = 'prune';
const HEARTBEAT = 'heartbeat';
export const pollLoop = (environment: string): string => `poll-${environment}`;
const pastLoop = (environment: string) => `past-${environment}`;

export function loopTable(ctx: LoopsCtx): Loop[] {
  const { db, environments, now, pollMs, notifyAlertmanager, callHeartbeat } = ctx;
  const unpolled = new Set(environments.map(({ name }) => name));
  const noteFirstPoll = async (environment: string) => {
    if (unpolled.delete(environment) && callHeartbeat !== null) await ctx.wake(HEARTBEAT);
  };
  const announceAll = createAnnouncing(ctx);
  const announce: Run = (signal) => announceAll(signal).finally(ctx.wakeOutbox);
  const posting = createPosting(ctx);
  const deliver: Run = async (signal) => (ctx.isAtHome() ? posting(signal) : undefined);
  const checkSlack: Run = async () => {
    await Promise.all([ctx.slackCheck.run(), ctx.strangers.run()]);
  };
  // Each has its name, what the status calls it, how often it runs, and after which time a run is cut off.
  const loops = [
    ...environments.flatMap(({ name }) => environmentLoops(ctx, name, () => noteFirstPoll(name))),
    row(ANNOUNCE, 'Alerts', [announceEveryMs(pollMs), 5 * MIN], locked(ctx, announce)),
    row(DELIVER, 'Messages', [30 * SEC, 2 * MIN], { run: deliver, nextAt: () => nextDueAt(db, now()) }),
    row('sendings', 'Tests and sending again', [Math.min(pollMs, 3 * SEC), 2 * MIN], locked(ctx, ctx.continueSendings)),
    row('summaries', 'Daily summaries', [Math.min(pollMs, 30 * SEC), 2 * MIN], locked(ctx, createSummarizer(ctx))),
    row('slack', null, [2 * MIN, 30 * SEC], { run: checkSlack }),
    row(
      'unreadable',
      null,
      [10 * MIN, MIN],
      locked(ctx, () => logUnreadable(ctx)),
    ),
    row('masking', null, [15 * MIN, 10 * MIN], locked(ctx, createMasking(ctx))),
    row(
      PRUNE,
      'Deletions of old data',
      [HOUR_MS, 10 * MIN],
      locked(ctx, (signal) => prune(ctx, signal)),
    ),
  ];
  if (notifyAlertmanager !== null) {
    const run = locked(ctx, notifyAlertmanager);
    loops.push(row('alertmanager', 'Incidents for the Alertmanager', [ALERTMANAGER_MS, 30 * SEC], run));
  }
  if (callHeartbeat !== null) {
    const isWaiting = (environment: string) => unpolled.has(environment) && ctx.isOurs(environment);
    // Before the first polls nothing is known.
    const beat: Run = async (signal) =>
      environments.some(({ name }) => isWaiting(name)) ? undefined : sendHeartbeat(ctx, callHeartbeat, signal);
    loops.push(row(HEARTBEAT, null, [Math.min(pollMs, MIN), 30 * SEC], locked(ctx, beat)));
  }
  return loops;
}

function environmentLoops(ctx: LoopsCtx, name: string, notePolled: () => Promise<void>): Loop[] {
  const { pollMs, wake, wakeAnnouncing } = ctx;
  const pastMs = Math.min(pollMs, 5 * MIN);
  const changesMs = Math.min(2 * pollMs, 2 * MIN);
  const polling = { ...ctx, wakePast: (environment: string) => wake(pastLoop(environment)) };
  const present: Run = (signal) => {
    // A poll that doesn't end in time isn't waited for.
    signal.addEventListener('abort', notePolled);
    return pollPresent(polling, name, signal).finally(notePolled);
  };
  // Leaves time for requests and a transaction under way.
  const past: Run = (signal) => pollPast(polling, name, 0.8 * pastMs, signal);
  const noteChanges: Run = async (signal) => {
    const read = () => readIntegrations(ctx, name, signal);
    const changes = await tryReading(ctx, name, "Integrations couldn't be read", read);
    if (changes !== null && changes.length > 0) await wakeAnnouncing();
  };
  return [
    row(pollLoop(name), null, [pollMs, POLL_LIMIT_MS], locked(ctx, present, name)),
    row(pastLoop(name), `Late failures of ${name}`, [pastMs, 10 * MIN], locked(ctx, past, name)),
    row(`integrations-${name}`, `Changes of ${name}`, [changesMs, MIN], locked(ctx, noteChanges, name)),
  ];
}

async function prune(ctx: LoopsCtx, signal: AbortSignal): Promise<void> {
  const { db, logger, clock, isEmbedded } = ctx;
  const others = isEmbedded ? [] : [await databaseNow(db)];
  if (!clock.isSure(others)) return void logger.info({}, 'Old rows stay until our clock is sure, within an hour');
  await mergeOldCounts(ctx, signal);
  const rowsDeleted = await pruneRows(ctx, signal);
  logger[rowsDeleted > 0 ? 'info' : 'debug']({ rowsDeleted }, 'Old rows deleted');
}

/** Run by the replica that has the environment's lock, or the one of what is done once for all. */
function locked({ isOurs }: LoopsCtx, run: Run, environment: string | null = null): Pick<Loop, 'run' | 'isOurs'> {
  return { run, isOurs: () => isOurs(environment) };
}

/**
 * `label` is what the status calls the loop if it's behind; null: it has words of its own, or none. A run that
 * takes longer than its limit of time is cut off.
 */
function row(
  name: string,
  label: string | null,
  [everyMs, timeLimitMs]: [everyMs: number, timeLimitMs: number],
  run: Pick<Loop, 'run' | 'isOurs' | 'nextAt'>,
): Loop {
  return { name, label, everyMs, timeLimitMs, ...run };
}
