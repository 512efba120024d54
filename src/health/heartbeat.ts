import { alertmanagerTrouble, type PagerTrouble } from '../alerts/pager.ts';
import { isWithinPolls, tooSlowByMs } from '../coverage/lag.ts';
import { describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import { type Backlog, backlogOf, waitedMs } from '../outbox/backlog.ts';
import type { Ctx } from '../store/db.ts';
import { type EnvironmentHealth, environmentHealth } from './environment-health.ts';
import { noteHeartbeat } from './last-heartbeat.ts';
import type { StatusCtx } from './status.ts';
import { unreadableWords } from './unreadable.ts';

export type CallHeartbeat = (signal: AbortSignal) => Promise<string | null>;

export type HeartbeatCtx = Ctx &
  Pick<StatusCtx, 'behind' | 'environments' | 'pollMs' | 'readUnreadable'> & {
    slackCheck: Pick<StatusCtx['slackCheck'], 'trouble'>;
  };

export async function sendHeartbeat(ctx: HeartbeatCtx, call: CallHeartbeat, signal: AbortSignal): Promise<void> {
  const { db, logger, now } = ctx;
  const [health, backlog] = await Promise.all([environmentHealth(db, now()), backlogOf(db, now())]);
  const reasons = reasonsToWithhold(ctx, health, backlog, await alertmanagerTrouble(db));
  reasons.push(...unreadableWords(await ctx.readUnreadable()));
  const isWithheld = reasons.length > 0;
  const why = isWithheld ? reasons.join('; ') : await call(signal);
  if (isWithheld) logger.warn({ reasons }, "Heartbeat withheld: events aren't checked or alerts not sent");
  else if (why !== null) logger.warn({ why }, "Heartbeat couldn't be sent: check NOTIF_HEARTBEAT_URL, and the network");
  if (!signal.aborted) await noteHeartbeat(db, { why, isWithheld, at: now() });
}

/** Fewer can be odd events. If so many are all that came, the service answers in another form. */
const MOST_UNREADABLE = 10;
/** Tries of a message are no further apart (LONGEST_RETRY_MS): by then one has failed for another reason than a pause. */
const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** An Alertmanager that restarts is away for less. */
const LONGEST_WITHOUT_PAGER_MS = 2 * MINUTE_MS;

export function reasonsToWithhold(
  { environments, pollMs, behind, slackCheck, now }: Omit<HeartbeatCtx, 'db' | 'logger' | 'readUnreadable'>,
  health: readonly EnvironmentHealth[],
  backlog: Backlog,
  pager: PagerTrouble | null,
): string[] {
  const reasons: string[] = [];
  for (const { name } of environments) {
    const known = health.find(({ environment }) => environment === name);
    const slowMs = known === undefined ? 0 : tooSlowByMs(known, pollMs, now());
    if (known === undefined || !isWithinPolls(known, pollMs, now())) reasons.push(`${name} isn't checked in time`);
    else if (slowMs > 0) reasons.push(`${name} is checked ${describeDuration(slowMs)} late`);
    const { unreadableAlone = 0 } = known ?? {};
    if (unreadableAlone >= MOST_UNREADABLE)
      reasons.push(`none of the ${unreadableAlone} newest events of ${name} can be read`);
  }
  reasons.push(...behind().map(({ name }) => `the loop ${name} is behind`));
  if (waitedMs(backlog, now()) > LONGEST_WAIT_MS) reasons.push('messages are pending');
  if (slackCheck.trouble() !== null) reasons.push("alerts can't be posted to Slack");
  if (pager !== null && now().getTime() - pager.since.getTime() >= LONGEST_WITHOUT_PAGER_MS)
    reasons.push(`the pager gets no incidents: ${pager.why}`);
  return reasons;
}
