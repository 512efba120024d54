import { farBehindMs, isWithinPolls, tooSlowByMs } from '../coverage/lag.ts';
import type { Environment } from '../lib/environment.ts';
import { type Explanation, STORE_TROUBLES, type StoreTrouble } from '../lib/errors.ts';
import { describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import type { CheckOutcome } from '../polling/check-now.ts';
import { lastingProblem } from '../service/problem-words.ts';
import type { EnvironmentHealth } from './environment-health.ts';
import type { Finding } from './finding.ts';

/** `words` follow the environment's name: "Production up to date". `what` and `next` can be empty. */
export interface EnvironmentCondition extends Explanation {
  is: 'fine' | Finding['is'];
  words: string;
}

export function condition(is: EnvironmentCondition['is'], words: string, what = '', next = ''): EnvironmentCondition {
  return { is, words, what, next };
}

const UNSURE: { [Outcome in CheckOutcome]?: string } = {
  'still checking': 'still being checked',
  failed: 'the check just now failed',
};

/** The checks for late failures may be behind, and polls may fail, for so long: a retry or the next poll mostly ends it. */
const BRIEF_MS = 5 * MINUTE_MS;

type StatusNow = { pollMs: number; trouble: StoreTrouble | null; check?: CheckOutcome | undefined; now: Date };

export function conditionOf(
  environment: Environment,
  health: EnvironmentHealth | null,
  { pollMs, trouble, check, now }: StatusNow,
): EnvironmentCondition {
  const since = (then: Date) => describeDuration(now.getTime() - then.getTime());
  const { lastSuccessAt = null, failingSince = null, problem: cause = null } = health ?? {};
  const unsure = check && UNSURE[check];
  if (failingSince !== null && cause !== null) {
    const { why, next } = lastingProblem(cause, environment);
    const number = health?.outageId == null ? '' : ` (#${health.outageId})`;
    const what = `Failing for ${since(failingSince)}: ${why}.`;
    return condition('problem', `can't read events${number}`, what, next);
  }
  if (health === null || lastSuccessAt === null || !isWithinPolls(health, pollMs, now)) {
    const last = lastSuccessAt === null ? '' : ` Last success ${since(lastSuccessAt)} ago.`;
    if (trouble !== null) {
      const { next } = STORE_TROUBLES[trouble];
      return condition('problem', 'waits for the database', `Polling waits for the database.${last}`, next);
    }
    if (lastSuccessAt === null) return condition('unknown', unsure ?? 'not checked yet');
    const next = 'If it persists, look for "Loop failed" or "Loop timed out" in the log, then restart Notif.';
    return condition('problem', 'polling stalled', `Polling has stalled without an error.${last}`, next);
  }
  const late = lateCondition(health, pollMs, now);
  if (late !== null) return late;
  const { uncheckedMs, behindMs, unreadable, givenUpMs } = health;
  const gaps = `Gaps of ${describeDuration(uncheckedMs)} are still to be checked.`;
  if (uncheckedMs > 0) return condition('advice', 'catching up on gaps', gaps);
  const passes = `Checks for late failures are ${describeDuration(behindMs)} behind; they catch up.`;
  if (behindMs > BRIEF_MS) return condition('advice', 'checks for late failures delayed', passes);
  if (unsure) return condition('unknown', unsure);
  if (unreadable + givenUpMs === 0) return condition('fine', 'up to date');
  const what = `Not read in the last day: events: ${unreadable}, time: ${describeDuration(givenUpMs)}. Failures there aren't reported.`;
  const next = 'The log says why (docs/runbook.md, NotifUnreadableEvents).';
  return condition('advice', "couldn't read everything", what, next);
}

/** Whether its polls have failed for more than five minutes, or it is checked too slowly. */
export function isUnchecked(health: EnvironmentHealth, pollMs: number, now: Date): boolean {
  const { failingSince } = health;
  const failsForLong = failingSince !== null && now.getTime() - failingSince.getTime() > BRIEF_MS;
  return failsForLong || tooSlowByMs(health, pollMs, now) > 0;
}

/** Returns null while new events are checked in time. */
function lateCondition(health: EnvironmentHealth, pollMs: number, now: Date): EnvironmentCondition | null {
  const slowMs = tooSlowByMs(health, pollMs, now);
  const lagMs = farBehindMs(health, pollMs, now);
  const late = `New events are checked ${describeDuration(lagMs)} late`;
  if (slowMs > 0) {
    const next =
      'The service answers slowly, or lists more than Notif can check (docs/runbook.md, NotifChecksTooSlow).';
    return condition('problem', 'checked too slowly', `${late}, and that isn't getting less.`, next);
  }
  return lagMs > 0 ? condition('advice', 'catching up', `${late}, which is getting less.`) : null;
}

/** Returns which are checked too slowly: "production by 12 min". */
export function tooSlow(health: readonly EnvironmentHealth[], pollMs: number, now: Date): string[] {
  const slow = health.map(({ environment, ...known }) => ({ environment, ms: tooSlowByMs(known, pollMs, now) }));
  return slow.filter(({ ms }) => ms > 0).map(({ environment, ms }) => `${environment} by ${describeDuration(ms)}`);
}
