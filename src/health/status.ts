import { max, subDays, subMinutes } from 'date-fns';
import { gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { alertmanagerTrouble, type PagerTrouble } from '../alerts/pager.ts';
import { gapsWhere } from '../coverage/gaps.ts';
import { isWithinPolls } from '../coverage/lag.ts';
import { gaps } from '../coverage/tables.ts';
import { countOpen, type OpenCount, type OpenRow, openRows } from '../incidents/lists.ts';
import { type Silent, silentIn } from '../incidents/silences.ts';
import type { Environment } from '../lib/environment.ts';
import {
  type Explanation,
  ServiceProblem,
  STORE_TROUBLES,
  type StoreTrouble,
  StoreTroubleError,
} from '../lib/errors.ts';
import type { BehindLoop } from '../lib/loop.ts';
import { describeDuration, lengthOf, MINUTE_MS, SECOND_MS, type TimeRange } from '../lib/time/durations.ts';
import { inTime } from '../lib/time/waiting.ts';
import type { Channels } from '../lib/workspace.ts';
import {
  type Backlog,
  type BlockedChannel,
  backlogOf,
  blockedChannels,
  editRefusals,
  type RefusedEdit,
} from '../outbox/backlog.ts';
import type { CheckNow, CheckOutcome } from '../polling/poll.ts';
import { lastingProblem } from '../service/problem-words.ts';
import { Count, type Ctx, type Db } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import { type ListedMute, listedMutes, withPublicChannels } from '../watches/listed-mutes.ts';
import { advice, type Finding, inChannel, problem } from './finding.ts';
import { LATE_MS, lateCondition } from './lateness.ts';
import { directMessageTroubles, operatorTroubles, type PeopleCtx } from './people.ts';
import { type UnreadableValue, unreadableFindings, unreadableValues } from './unreadable.ts';

export interface EnvironmentHealth extends z.output<typeof HealthRow> {
  uncheckedMs: number;
  /** Given up in the last day. */
  notRecoveredMs: number;
}

const HealthRow = z.object({
  environment: z.string(),
  checkedTo: z.date(),
  lastSuccessAt: z.date().nullable(),
  failingSince: z.date().nullable(),
  lagMs: Count.nullable(),
  tooSlowSince: z.date().nullable(),
  problem: ServiceProblem.nullable().catch(null),
  behindMs: Count,
  clockAheadMs: Count.nullable(),
  unreadable: Count,
  unreadableAlone: Count, // in 15 minutes without a readable one
  outageId: Count.nullable(),
  waiting: Count, // beyond the horizon
  nextWaitEndsAt: z.date().nullable(),
});

export async function environmentHealth(db: Db, now: Date): Promise<EnvironmentHealth[]> {
  const aDayAgo = subDays(now, 1);
  const recent = await gapsWhere(db, or(isNull(gaps.closedAt), gt(gaps.endsAt, aDayAgo)));
  return (await db.rows(HealthRow, healthSql(now))).map((row) => {
    const here = recent.filter(({ environment }) => environment === row.environment);
    const toRead = here.flatMap((gap) => (gap.closedAt === null ? gap.toRead : []));
    const givenUp = here.flatMap((gap) => gap.givenUp.map(({ from, to }) => ({ from: max([from, aDayAgo]), to })));
    return { ...row, uncheckedMs: msIn(toRead), notRecoveredMs: msIn(givenUp) };
  });
}

const msIn = (ranges: readonly TimeRange[]) => ranges.reduce((ms, range) => ms + Math.max(0, lengthOf(range)), 0);

const healthSql = (now: Date): SQL => sql`
  SELECT
    c.*,
    (
      SELECT max(i.id)
      FROM incidents i
      WHERE i.environment = c.environment AND i.kind = 'unreadable' AND i.state = 'firing'
    ) AS outage_id,
    (
      SELECT coalesce(sum(n.unreadable), 0)
      FROM event_counts n
      WHERE n.environment = c.environment
        AND n.workflow = ''
        AND n.minute >= ${subDays(now, 1)}
    ) AS unreadable,
    (
      SELECT CASE WHEN coalesce(sum(n.events), 0) = 0 THEN coalesce(sum(n.unreadable), 0) ELSE 0 END
      FROM event_counts n
      WHERE n.environment = c.environment AND n.minute >= ${subMinutes(now, 15)}
    ) AS unreadable_alone,
    (
      SELECT count(*)
      FROM waiting_events w
      WHERE w.environment = c.environment AND w.due_at > ${now}
    ) AS waiting,
    (
      SELECT min(w.due_at)
      FROM waiting_events w
      WHERE w.environment = c.environment AND w.due_at > ${now}
    ) AS next_wait_ends_at
  FROM environments c
  ORDER BY c.environment`;

export interface EnvironmentStatus {
  environment: Environment;
  health: EnvironmentHealth | null;
  open: OpenCount;
  silences: readonly Silent[];
  condition: Condition;
}

/** What the database says of itself and of what is to be done. */
interface StoreAnswer {
  health: readonly EnvironmentHealth[];
  backlog: Backlog;
  open: readonly OpenRow[];
  mutes: readonly ListedMute[];
  silences: readonly Silent[];
  refusals: readonly RefusedEdit[];
  blocked: readonly BlockedChannel[];
  unreached: readonly Finding[];
  trouble: StoreTrouble | null;
  pager: PagerTrouble | null;
  unreadable: readonly UnreadableValue[];
}

export interface Status {
  at: Date;
  environments: readonly EnvironmentStatus[];
  /** Null if the database doesn't answer. */
  store: StoreAnswer | null;
  troubles: readonly Finding[];
  running: StatusCtx['running'];
}

/** `words` follow the environment's name: "Production up to date". `what` and `next` can be empty. */
export interface Condition extends Explanation {
  is: 'fine' | Finding['is'];
  words: string;
}

function condition(is: Condition['is'], words: string, what = '', next = ''): Condition {
  return { is, words, what, next };
}

const UNSURE: { [Outcome in CheckOutcome]?: string } = {
  'still checking': 'still being checked',
  failed: 'the check just now failed',
};

type StatusNow = { pollMs: number; trouble: StoreTrouble | null; check?: CheckOutcome | undefined; now: Date };

export function conditionOf(
  environment: Environment,
  health: EnvironmentHealth | null,
  { pollMs, trouble, check, now }: StatusNow,
): Condition {
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
  const { uncheckedMs, behindMs, unreadable, notRecoveredMs } = health;
  const gaps = `Gaps of ${describeDuration(uncheckedMs)} are still to be checked.`;
  if (uncheckedMs > 0) return condition('advice', 'catching up on gaps', gaps);
  const passes = `Checks for late failures are ${describeDuration(behindMs)} behind; they catch up.`;
  if (behindMs > LATE_MS) return condition('advice', 'checks for late failures delayed', passes);
  if (unsure) return condition('unknown', unsure);
  if (unreadable + notRecoveredMs === 0) return condition('fine', 'up to date');
  const what = `Not read in the last day: events: ${unreadable}, time: ${describeDuration(notRecoveredMs)}. Failures there aren't reported.`;
  const next = 'The log says why (docs/runbook.md, NotifUnreadableEvents).';
  return condition('advice', "couldn't read everything", what, next);
}

export interface StatusCtx extends Ctx, PeopleCtx, Pick<OpenDb, 'lockTrouble'> {
  environments: readonly Environment[];
  channels: Pick<Channels, 'isPublic'>;
  isSlackConnected: () => boolean;
  slackCheck: { trouble: () => Finding | null; run: () => Promise<void> };
  strangers: { trouble: () => Finding | null };
  behind: () => readonly BehindLoop[];
  readFreeBytes: () => Promise<number | null>;
  running: { version: string; startedAt: Date };
  pollMs: number;
}

const RECHECK_MS = 3 * SECOND_MS;

export async function reportStatus(ctx: StatusCtx, checkNow?: CheckNow): Promise<Status> {
  const { environments, running, pollMs, now } = ctx;
  // Whoever asks may have just put it right.
  const rechecked = ctx.slackCheck.trouble() === null ? null : inTime(ctx.slackCheck.run(), RECHECK_MS, null);
  const [, ...checks] = await Promise.all([rechecked, ...environments.map(({ name }) => checkNow?.(name))]);
  const answer = await askStore(ctx);
  const store = typeof answer === 'string' ? null : answer;
  const at = now();
  return {
    at,
    environments: environments.map((environment, index) => {
      const isHere = (row: { environment: string }) => row.environment === environment.name;
      const health = store?.health.find(isHere) ?? null;
      const check = checks[index]?.outcome;
      const known = store && conditionOf(environment, health, { pollMs, trouble: store.trouble, check, now: at });
      const open = countOpen(store?.open.filter(isHere) ?? []);
      const silences = store?.silences.filter(isHere) ?? [];
      return { environment, health, open, silences, condition: known ?? condition('unknown', 'status unknown') };
    }),
    store,
    troubles: [...troublesOf(answer, ctx, await ctx.readFreeBytes(), at), ...(await operatorTroubles(ctx))],
    running,
  };
}

async function askStore({ environments, db, channels, logger, now }: StatusCtx): Promise<StoreAnswer | StoreTrouble> {
  const at = now();
  const names = environments.map(({ name }) => name);
  try {
    const answers = await Promise.all([
      environmentHealth(db, at),
      backlogOf(db, at),
      openRows(db, names, at),
      listedMutes(db, names, at),
      silentIn(db, names),
      editRefusals(db),
      blockedChannels(db),
      directMessageTroubles(db, at),
      storeTrouble(db),
      alertmanagerTrouble(db),
      unreadableValues(db),
    ]);
    const [health, backlog, open, mutes, silences, refusals, blocked, unreached, trouble, pager, unreadable] = answers;
    return {
      health,
      backlog,
      open,
      mutes: await withPublicChannels(mutes, channels),
      silences,
      refusals,
      blocked,
      unreached,
      trouble,
      pager,
      unreadable,
    };
  } catch (err) {
    logger.error({ err }, "Database couldn't be asked for the status");
    return err instanceof StoreTroubleError ? err.trouble : 'not-answering';
  }
}

const ReadOnlyRow = z.object({ isReadOnly: z.boolean() });

const IS_READ_ONLY =
  "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS is_read_only FROM kv WHERE key = 'migrations'";
export const ANSWER_MS = 3_000;

export function storeTrouble(db: Db): Promise<StoreTrouble | null> {
  const answer = db.rows(ReadOnlyRow, IS_READ_ONLY).then(
    ([row]) => (row?.isReadOnly === true || db.isFull() ? 'read-only' : null),
    (error: unknown): StoreTrouble => (error instanceof StoreTroubleError ? error.trouble : 'refused'),
  );
  return inTime(answer, ANSWER_MS, 'not-answering');
}

export const MB = 2 ** 20;
const HELD_UP_MS = 5 * MINUTE_MS;
const SEE_LOG = "Look for Slack's answer, Loop failed or Loop timed out in the log (docs/runbook.md).";
const CHECK_PAGER = 'Check NOTIF_ALERTMANAGER_URL, its login or token, and the network. Slack alerts continue.';
const LET_IN = 'Unarchive the channel, /invite @Notif and let it post, or change NOTIF_DIGEST_CHANNEL.';
const EDIT_LET_IN = 'Unarchive the channel, or invite Notif. edit_window_closed: the workspace limits edits.';

type TroubleCtx = Pick<StatusCtx, 'isSlackConnected' | 'strangers' | 'behind' | 'lockTrouble'> & {
  slackCheck: Pick<StatusCtx['slackCheck'], 'trouble'>;
};

export function troublesOf(
  answer: StoreAnswer | StoreTrouble,
  { isSlackConnected, slackCheck, strangers, behind, lockTrouble }: TroubleCtx,
  freeBytes: number | null,
  at: Date,
): Finding[] {
  const trouble = typeof answer === 'string' ? answer : answer.trouble;
  const ageOf = (since: Date | null) => describeDuration(at.getTime() - (since ?? at).getTime());
  const troubles: Finding[] = [];
  if (trouble !== null) {
    const { what, next } = STORE_TROUBLES[trouble];
    troubles.push(problem(`${what} No events are checked and no alerts sent.`, next));
  }
  const locks = lockTrouble();
  if (locks !== null) troubles.push(problem(locks.what, locks.next));
  if (freeBytes !== null && freeBytes < 200 * MB) {
    const what = `The disk of the data folder is almost full: ${Math.floor(freeBytes / MB)} MB are left.`;
    troubles.push(problem(what, 'Free up space, or set a shorter NOTIF_RETENTION_DAYS.'));
  }
  const away = problem('Slack: not connected, reconnecting.', 'Alerts are sent once it is back.');
  if (!isSlackConnected()) troubles.push(slackCheck.trouble() ?? away);
  const stranger = strangers.trouble();
  if (stranger !== null) troubles.push(stranger);
  for (const { name, label } of behind())
    troubles.push(problem(`${label} are behind: ${name} has not succeeded lately.`, SEE_LOG));
  if (typeof answer === 'string') return troubles;
  const { backlog, blocked, refusals, pager, unreadable } = answer;
  troubles.push(...unreadableFindings(unreadable));
  if (pager !== null)
    troubles.push(
      problem(`Alertmanager has received no incidents for ${ageOf(pager.since)}: ${pager.why}.`, CHECK_PAGER),
    );
  if (at.getTime() - (backlog.oldestUnblocked ?? at).getTime() >= HELD_UP_MS)
    troubles.push(problem(`The oldest message has waited for ${ageOf(backlog.oldestUnblocked)}.`, SEE_LOG));
  for (const { channel, reason, messages, oldest } of blocked) {
    const waiting = `messages waiting: ${messages}, for ${ageOf(oldest)}.`;
    troubles.push(problem(`Notif can't post (${reason}); ${waiting}`, LET_IN, inChannel(channel)));
  }
  for (const { channel, reason } of refusals) {
    const what = `Slack refuses edits here (${reason}), so counts in posted messages don't update:`;
    troubles.push(advice(what, EDIT_LET_IN, inChannel(channel)));
  }
  return [...troubles, ...answer.unreached];
}
