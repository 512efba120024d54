import { farBehindMs, tooSlowByMs } from '../coverage/lag.ts';
import { describeDuration, MINUTE_MS } from '../lib/time/durations.ts';
import type { Condition, EnvironmentHealth } from './status.ts';

/** Between polls an environment is always a little late. */
export const LATE_MS = 5 * MINUTE_MS;

/** Whether it has failed for longer, or is checked too slowly. */
export function isUnchecked(health: EnvironmentHealth, pollMs: number, now: Date): boolean {
  const failingMs = now.getTime() - (health.failingSince?.getTime() ?? Infinity);
  return failingMs > LATE_MS || tooSlowByMs(health, pollMs, now) > 0;
}

/** Returns null while new events are checked in time. */
export function lateCondition(health: EnvironmentHealth, pollMs: number, now: Date): Condition | null {
  const [slowMs, lagMs] = [tooSlowByMs(health, pollMs, now), farBehindMs(health, pollMs, now)];
  const late = `New events are checked ${describeDuration(lagMs)} late`;
  if (slowMs > 0) {
    const next =
      'The service answers slowly, or lists more than Notif can check (docs/runbook.md, NotifChecksTooSlow).';
    return { is: 'problem', words: 'checked too slowly', what: `${late}, and that isn't getting less.`, next };
  }
  return lagMs > 0 ? { is: 'advice', words: 'catching up', what: `${late}, which is getting less.`, next: '' } : null;
}

/** Returns which are checked too slowly: "production by 12 min". */
export function tooSlow(health: readonly EnvironmentHealth[], pollMs: number, now: Date): string[] {
  const slow = health.map(({ environment, ...known }) => ({ environment, ms: tooSlowByMs(known, pollMs, now) }));
  return slow.filter(({ ms }) => ms > 0).map(({ environment, ms }) => `${environment} by ${describeDuration(ms)}`);
}
