import type { Environment } from '../lib/environment.ts';
import { CLOCK_TOLERANCE_MS, longestBetweenPolls } from '../lib/time/service-clock.ts';
import type { Backlog } from './backlog.ts';
import type { CheckOutcome } from './check.ts';
import type { EnvironmentHealth } from './health.ts';
import type { Outstanding } from './outstanding.ts';
import type { SlackTrouble } from './slack-trouble.ts';
import type { StoreTrouble } from './store-trouble.ts';

export interface Status {
  readonly at: Date;
  readonly environments: readonly EnvironmentStatus[];
  readonly slack: { readonly isConnected: boolean; readonly lastTrouble: SlackTrouble | null };
  /** Null if the database didn't respond. */
  readonly store: StoreStatus | null;
  /** The loops of this process that haven't succeeded for long. */
  readonly behind: readonly BehindLoop[];
  readonly running: { readonly version: string; readonly startedAt: Date };
}

export interface BehindLoop {
  readonly name: string;
  /** What people wait for, in the plural. */
  readonly delays: string;
  readonly lastSuccessAt: Date | null;
}

export interface EnvironmentStatus {
  readonly environment: Environment;
  /** Null if it was never read. */
  readonly health: EnvironmentHealth | null;
  readonly condition: ReadingCondition;
  /** Null if none was requested. */
  readonly check: CheckOutcome | null;
}

export interface StoreStatus {
  readonly answeredInMs: number;
  readonly backlog: Backlog;
  readonly outstanding: Outstanding;
  /** The channels in which Slack refused the last edit, with its error code: counts in posted messages don't update there. */
  readonly editRefusals: readonly EditRefusedIn[];
  readonly replicas: number;
  readonly trouble: StoreTrouble | null;
}

export interface EditRefusedIn {
  readonly channel: string;
  readonly reason: string;
}

/**
 * `failing`: the service can't be read. `waits-for-store`: nothing can be stored, so nothing is checked or announced. `silent`: no recent
 * poll has read everything new, and none has failed: Notif itself is stuck.
 * `catching-up`: the present is read, but missed events aren't all read yet. `late`: late failures are looked for later than planned.
 * `incomplete`: some of the last day couldn't be read, or some events couldn't be recorded.
 */
export type ReadingCondition =
  | 'fine'
  | 'not-read-yet'
  | 'failing'
  | 'waits-for-store'
  | 'silent'
  | 'catching-up'
  | 'late'
  | 'incomplete'
  | 'unknown';

/** The past is read between polls, so it is always a little late. */
const LATE_MS = 5 * 60_000;

export function isLate(behindMs: number): boolean {
  return behindMs > LATE_MS;
}

/** Infinite if there was none, or if it is dated further ahead than clocks may differ: then it's from before a clock was set back. */
export function sinceSuccessMs(lastSuccessAt: Date | null, now: Date): number {
  if (lastSuccessAt === null) return Number.POSITIVE_INFINITY;
  const sinceMs = now.getTime() - lastSuccessAt.getTime();
  return sinceMs < -CLOCK_TOLERANCE_MS ? Number.POSITIVE_INFINITY : sinceMs;
}

/** Returns whether a poll that read everything new began within the last two poll intervals plus the time of a poll. */
export function isReadInTime(lastSuccessAt: Date | null, pollMs: number, now: Date): boolean {
  return sinceSuccessMs(lastSuccessAt, now) <= longestBetweenPolls(pollMs);
}

/** The conditions that a store in trouble explains: a service that fails is a problem of its own. */
const EXPLAINED_BY_STORE: readonly ReadingCondition[] = ['not-read-yet', 'silent'];

/** Returns the most severe condition of an environment's reading. */
export function conditionOf(
  health: EnvironmentHealth | null,
  { pollMs, trouble }: { readonly pollMs: number; readonly trouble: StoreTrouble | null },
  now: Date,
): ReadingCondition {
  const condition = apartFromStore(health, pollMs, now);
  return trouble !== null && EXPLAINED_BY_STORE.includes(condition) ? 'waits-for-store' : condition;
}

function apartFromStore(health: EnvironmentHealth | null, pollMs: number, now: Date): ReadingCondition {
  if (health === null) return 'not-read-yet';
  if (health.failingSince !== null) return 'failing';
  if (!isReadInTime(health.lastSuccessAt, pollMs, now))
    return health.lastSuccessAt === null ? 'not-read-yet' : 'silent';
  if (health.uncheckedMs > 0) return 'catching-up';
  if (isLate(health.behindMs)) return 'late';
  return health.unreadable + health.notRecoveredMs > 0 ? 'incomplete' : 'fine';
}
