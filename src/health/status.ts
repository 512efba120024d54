import { alertmanagerTrouble, type PagerTrouble } from '../alerts/pager.ts';
import { countOpen, type OpenCount, type OpenRow, openRows } from '../incidents/open-incidents.ts';
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
import type { CheckNow } from '../polling/check-now.ts';
import type { Ctx } from '../store/db.ts';
import type { OpenDb } from '../store/open.ts';
import { storeTrouble } from '../store/trouble.ts';
import { type ListedMute, listedMutes, withPublicChannels } from '../watches/listed-mutes.ts';
import { condition, conditionOf, type EnvironmentCondition } from './environment-condition.ts';
import { type EnvironmentHealth, environmentHealth } from './environment-health.ts';
import type { Finding } from './finding.ts';
import { directMessageTroubles, operatorTroubles, type PeopleCtx } from './people-troubles.ts';
import { troublesOf } from './troubles.ts';
import type { ReadUnreadable, UnreadableValue } from './unreadable.ts';

export interface EnvironmentStatus {
  environment: Environment;
  health: EnvironmentHealth | null;
  open: OpenCount;
  silences: readonly Silent[];
  condition: EnvironmentCondition;
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
  readUnreadable: ReadUnreadable;
  running: { version: string; startedAt: Date };
  pollMs: number;
}

/** A person waits for the status: a Slack that takes longer is shown by its last check. */
const RECHECK_MS = 3 * SECOND_MS;

export async function reportStatus(ctx: StatusCtx, checkNow?: CheckNow): Promise<Status> {
  const { environments, running, pollMs, now } = ctx;
  const [checks] = await Promise.all([
    Promise.all(environments.map(({ name }) => checkNow?.(name))),
    // Whoever asks may have just put it right.
    ctx.slackCheck.trouble() === null ? null : inTime(ctx.slackCheck.run(), RECHECK_MS, null),
  ]);
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
      return {
        environment,
        health,
        open: countOpen(store?.open.filter(isHere) ?? []),
        silences: store?.silences.filter(isHere) ?? [],
        condition: known ?? condition('unknown', 'status unknown'),
      };
    }),
    store,
    troubles: [...troublesOf(answer, ctx, await ctx.readFreeBytes(), at), ...(await operatorTroubles(ctx))],
    running,
  };
}

async function askStore(ctx: StatusCtx): Promise<StoreAnswer | StoreTrouble> {
  const { environments, db, channels, readUnreadable, logger, now } = ctx;
  const at = now();
  const names = environments.map(({ name }) => name);
  try {
    const { mutes, ...answers } = await allOf({
      health: environmentHealth(db, at),
      backlog: backlogOf(db, at),
      open: openRows(db, names, at),
      mutes: listedMutes(db, names, at),
      silences: silentIn(db, names),
      refusals: editRefusals(db),
      blocked: blockedChannels(db),
      unreached: directMessageTroubles(db, at),
      trouble: storeTrouble(db),
      pager: alertmanagerTrouble(db),
      unreadable: readUnreadable(),
    });
    return { ...answers, mutes: await withPublicChannels(mutes, channels) };
  } catch (err) {
    logger.error({ err }, "Database couldn't be asked for the status");
    return err instanceof StoreTroubleError ? err.trouble : 'not-answering';
  }
}

/** Awaits the fields of an object, all at once. */
async function allOf<Answers extends object>(
  asked: {
    [Name in keyof Answers]: Promise<Answers[Name]>;
  },
): Promise<Answers> {
  const answers = await Promise.all(
    Object.entries<Promise<unknown>>(asked).map(async ([name, answer]) => [name, await answer]),
  );
  return Object.fromEntries(answers);
}
