import { z } from 'zod';
import { alertmanagerTrouble, type PagerTrouble } from '../alerts/pager.ts';
import { countOpen, type OpenCount, type OpenRow, openRows } from '../incidents/lists.ts';
import { type Silent, silentIn } from '../incidents/silences.ts';
import type { Environment } from '../lib/environment.ts';
import { type StoreTrouble, StoreTroubleError } from '../lib/errors.ts';
import type { BehindLoop } from '../lib/loop.ts';
import { SECOND_MS } from '../lib/time/durations.ts';
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
import type { CheckNow } from '../polling/poll.ts';
import type { Ctx, Db } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import { type ListedMute, listedMutes, withPublicChannels } from '../watches/listed-mutes.ts';
import { type Condition, condition, conditionOf } from './condition.ts';
import { type EnvironmentHealth, environmentHealth } from './environment-health.ts';
import type { Finding } from './finding.ts';
import { directMessageTroubles, operatorTroubles, type PeopleCtx } from './people.ts';
import { troublesOf } from './troubles.ts';
import { type UnreadableValue, unreadableValues } from './unreadable.ts';

export interface EnvironmentStatus {
  environment: Environment;
  health: EnvironmentHealth | null;
  open: OpenCount;
  silences: readonly Silent[];
  condition: Condition;
}

/** What the database says of itself and of what is to be done. */
export interface StoreAnswer {
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
