import { z } from 'zod';
import { backlogOf, editRefusals } from '../digests/outbox.ts';
import { openCount } from '../incidents/lists.ts';
import type { Ctx } from '../lib/ctx.ts';
import type { Environment } from '../lib/environment.ts';
import type { ServiceProblem } from '../lib/errors.ts';
import { CLOCK_TOLERANCE_MS, longestBetweenPolls } from '../lib/time/service-clock.ts';
import type { Channels } from '../lib/workspace.ts';
import { Count, CountRow, type Db } from '../store/db.ts';
import { muted } from '../watches/mutes.ts';
import { type StoreTrouble, storeTrouble } from './store-trouble.ts';

export type CheckOutcome = 'checked' | 'still checking' | 'failed';

export interface Check {
  outcome: CheckOutcome;
  problem: ServiceProblem | null;
}

/** Takes at most two seconds; never rejects. */
export type CheckNow = (environment: string) => Promise<Check>;

export type Status = Awaited<ReturnType<typeof reportStatus>>;

export interface SlackTrouble {
  method: string;
  word: string;
  at: Date;
}

export interface BehindLoop {
  name: string;
  delays: string;
  lastSuccessAt: Date | null;
}

export interface EnvironmentStatus {
  environment: Environment;
  health: EnvironmentHealth | null;
  condition: ReadingCondition;
  check: CheckOutcome | null;
}

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

/** Read between polls, it is always a little late. */
const LATE_MS = 5 * 60_000;

export function isLate(behindMs: number): boolean {
  return behindMs > LATE_MS;
}

/** Infinite also where a clock was set back. */
export function sinceSuccessMs(lastSuccessAt: Date | null, now: Date): number {
  const sinceMs = now.getTime() - (lastSuccessAt?.getTime() ?? Number.NEGATIVE_INFINITY);
  return sinceMs < -CLOCK_TOLERANCE_MS ? Number.POSITIVE_INFINITY : sinceMs;
}

export function isReadInTime(lastSuccessAt: Date | null, pollMs: number, now: Date): boolean {
  return sinceSuccessMs(lastSuccessAt, now) <= longestBetweenPolls(pollMs);
}

/** Nothing new can be seen. One service that is away doesn't count: the others are checked. */
export function isNothingChecked(health: readonly EnvironmentHealth[], environments: readonly string[], now: Date) {
  const isFailing = ({ failingSince }: EnvironmentHealth) =>
    failingSince !== null && now.getTime() - failingSince.getTime() > LATE_MS;
  return environments.every((name) => health.some((read) => read.environment === name && isFailing(read)));
}

export function conditionOf(
  health: EnvironmentHealth | null,
  pollMs: number,
  trouble: StoreTrouble | null,
  now: Date,
): ReadingCondition {
  const isUnread = health === null || health.lastSuccessAt === null;
  if (health !== null && health.failingSince !== null) return 'failing';
  if (isUnread || !isReadInTime(health.lastSuccessAt, pollMs, now)) {
    if (trouble !== null) return 'waits-for-store';
    return isUnread ? 'not-read-yet' : 'silent';
  }
  if (health.uncheckedMs > 0) return 'catching-up';
  if (isLate(health.behindMs)) return 'late';
  return health.unreadable + health.notRecoveredMs > 0 ? 'incomplete' : 'fine';
}

export interface StatusCtx extends Ctx {
  environments: readonly Environment[];
  channels: Pick<Channels, 'isPublic'>;
  slackStatus: () => { isConnected: boolean; trouble: string | null; lastTrouble: SlackTrouble | null };
  behind: () => readonly BehindLoop[];
  running: { version: string; startedAt: Date };
  pollMs: number;
}

type Checks = ReadonlyMap<string, CheckOutcome>;

export async function checkAll(environments: readonly Environment[], checkNow: CheckNow): Promise<Checks> {
  const check = async ({ name }: Environment) => [name, (await checkNow(name)).outcome] as const;
  return new Map(await Promise.all(environments.map(check)));
}

export async function reportStatus(ctx: StatusCtx, checks: Checks = new Map()) {
  const { environments, slackStatus, behind, running, pollMs, now } = ctx;
  const stored = await askStore(ctx);
  const at = now();
  const trouble = stored?.status.trouble ?? null;
  return {
    at,
    environments: environments.map((environment): EnvironmentStatus => {
      const health = stored?.health.find((read) => read.environment === environment.name) ?? null;
      const condition = stored === null ? 'unknown' : conditionOf(health, pollMs, trouble, at);
      return { environment, health, condition, check: checks.get(environment.name) ?? null };
    }),
    slack: slackStatus(),
    store: stored?.status ?? null,
    behind: behind(),
    running,
  };
}

async function askStore({ environments, db, channels, logger, now }: StatusCtx) {
  const begun = now();
  const names = environments.map(({ name }) => name);
  try {
    const [health, backlog, open, mutes, refusals, replicas, trouble] = await Promise.all([
      readingHealth(db, begun),
      backlogOf(db),
      openCount(db, names, begun),
      muted(db, null, begun),
      editRefusals(db),
      replicasOf(db),
      storeTrouble(db),
    ]);
    const answeredInMs = now().getTime() - begun.getTime();
    const seen = { ...mutes, mutes: await withoutPrivate(mutes.mutes, channels) };
    const status = { answeredInMs, backlog, open, mutes: seen, editRefusals: refusals, replicas, trouble };
    return { health, status };
  } catch (err) {
    logger.error({ err }, "Database couldn't be asked for the status");
    return null;
  }
}

const REPLICAS = `
  SELECT count(DISTINCT application_name) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'notif-%'`;

export async function replicasOf(db: Db): Promise<number> {
  return Math.max(1, (await db.rows(CountRow, REPLICAS))[0]?.count ?? 0);
}

export function withoutPrivate<Muted extends { channel: string | null }>(
  mutes: readonly Muted[],
  channels: Pick<Channels, 'isPublic'>,
): Promise<readonly Muted[]> {
  return Promise.all(
    mutes.map(async (mute) => {
      const isPublic = mute.channel !== null && (await channels.isPublic(mute.channel));
      return isPublic ? mute : { ...mute, channel: null };
    }),
  );
}

export type EnvironmentHealth = z.output<typeof HealthRow>;

const HealthRow = z.object({
  environment: z.string(),
  checkedTo: z.date(),
  lastPollAt: z.date().nullable(),
  lastSuccessAt: z.date().nullable(),
  failingSince: z.date().nullable(),
  problem: z.custom<ServiceProblem>().nullable(),
  behindMs: Count,
  clockAheadMs: Count.nullable(),
  openGaps: Count,
  uncheckedMs: Count,
  unreadable: Count,
  unreadableAlone: Count,
  notRecoveredMs: Count,
});

export function readingHealth(db: Db, now: Date): Promise<EnvironmentHealth[]> {
  return db.rows(HealthRow, HEALTH, [now]);
}
export const UNCHECKED_WINDOWS =
  'jsonb_to_recordset(g.unchecked) AS u ("from" timestamptz, "to" timestamptz, tries integer, "nextTryAt" timestamptz)';

function msOf(length: string, condition: string): string {
  return `coalesce(round(extract(epoch FROM sum(${length}) FILTER (WHERE ${condition})) * 1000), 0)`;
}

const A_DAY_AGO = "$1::timestamptz - interval '1 day'";

const HEALTH = `
  SELECT c.*, gaps.open_gaps, windows.unchecked_ms, windows.not_recovered_ms,
    (
      SELECT coalesce(sum(n.unreadable), 0) FROM event_counts n
      WHERE n.environment = c.environment AND n.workflow = '' AND n.minute >= ${A_DAY_AGO}
    ) AS unreadable,
    (
      SELECT CASE WHEN coalesce(sum(n.events), 0) = 0 THEN coalesce(sum(n.unreadable), 0) ELSE 0 END FROM event_counts n
      WHERE n.environment = c.environment AND n.minute >= $1::timestamptz - interval '15 minutes'
    ) AS unreadable_alone
  FROM environments c
  CROSS JOIN LATERAL (
    SELECT count(*) AS open_gaps FROM gaps g WHERE g.environment = c.environment AND g.closed_at IS NULL
  ) gaps
  CROSS JOIN LATERAL (
    SELECT
      ${msOf('u."to" - u."from"', 'g.closed_at IS NULL AND u."nextTryAt" IS NOT NULL')} AS unchecked_ms,
      ${msOf(`u."to" - GREATEST(u."from", ${A_DAY_AGO})`, `u."nextTryAt" IS NULL AND u."to" > ${A_DAY_AGO}`)} AS not_recovered_ms
    FROM gaps g CROSS JOIN LATERAL ${UNCHECKED_WINDOWS}
    WHERE g.environment = c.environment
  ) windows
  ORDER BY c.environment`;
