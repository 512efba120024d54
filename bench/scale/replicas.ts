import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { startPostgres } from '../../test/support/postgres.ts';
import type { BuiltBot } from '../built-bot.ts';
import { sampleOf, sumOf } from '../prometheus.ts';
import { maximum, percentile } from '../statistics.ts';
import { firstPollsAfter, type Lateness, latenessOf, type Poll } from './lateness.ts';
import { type Load, loadDuring } from './load.ts';
import { type BotsPlan, POLL_SECONDS, type RunningBots, withBots } from './running-bots.ts';
import { eventsOfTenant, type Tenancy } from './tenants.ts';
import { allPolled } from './tenants-process.ts';

const POLL_MS = POLL_SECONDS * 1_000;
/** Three poll intervals. */
const TAKE_OVER_WITHIN_MS = 3 * POLL_MS;
const POSTED_WITHIN_MS = 3 * 60_000;
/** For so long events are created after the death of a replica. */
const FAILING_ON_MS = 10_000;

export interface ReplicasPlan extends BotsPlan {
  /** How long the load of all is measured. */
  readonly measuredMs: number;
}

export interface Replicas {
  /** Of all replicas together. */
  readonly load: Load;
  /** Of the PostgreSQL server, in a minute. */
  readonly databaseCpuSeconds: number;
  readonly transactions: number;
  /** The share of the new events that the busiest replica read, and the one with the fewest. */
  readonly shares: { readonly most: number; readonly least: number };
  readonly lateness: Lateness;
  /** From the death of a replica until an environment was polled, in milliseconds. */
  readonly takenOver: { readonly p50Ms: number; readonly longestMs: number };
  readonly residentBytes: number;
  readonly account: Account;
}

/** What was planted, and what of it was recorded, and announced other than once. */
export interface Account {
  readonly planted: number;
  readonly recorded: number;
  readonly incidents: number;
  readonly notAnnouncedOnce: number;
  readonly notPosted: number;
}

/** Several replicas on a PostgreSQL server; one of them is killed. */
export async function measureReplicas({ measuredMs, ...plan }: ReplicasPlan): Promise<Replicas> {
  const postgres = await startPostgres();
  try {
    const killing = (running: RunningBots) => killingOne(running, postgres.url, measuredMs);
    return await withBots(plan, { DATABASE_URL: postgres.url }, killing);
  } finally {
    await postgres.stop();
  }
}

async function killingOne(running: RunningBots, databaseUrl: string, measuredMs: number): Promise<Replicas> {
  const { bots, tenancy, service } = running;
  const { environments } = tenancy;
  const databaseBefore = await readingsOf(databaseUrl);
  const sharesBefore = await newEventsOf(bots);
  const { load, polls: measured } = await loadDuring(measuredMs, running);
  const sharesAfter = await newEventsOf(bots);
  const databaseAfter = await readingsOf(databaseUrl);
  const minutes = (databaseAfter.at - databaseBefore.at) / 60_000;
  const resident = await Promise.all(
    bots.map(async (bot) => sampleOf(await bot.metrics(), 'process_resident_memory_bytes')),
  );

  await bots.shift()?.kill();
  const killedAt = Date.now();
  const end = killedAt + FAILING_ON_MS;
  service.send({ end });
  const polls: Poll[] = [
    ...measured,
    ...(await allPolled(service, { environments, since: end, withinMs: FAILING_ON_MS + TAKE_OVER_WITHIN_MS })),
  ];
  const takenOver = [...firstPollsAfter(polls, killedAt).values()];
  const read = sharesAfter.map((events, replica) => events - (sharesBefore[replica] ?? 0));
  const all = read.reduce((sum, each) => sum + each, 0);
  return {
    load,
    databaseCpuSeconds: (databaseAfter.cpuSeconds - databaseBefore.cpuSeconds) / minutes,
    transactions: (databaseAfter.transactions - databaseBefore.transactions) / minutes,
    shares: { most: maximum(read) / all, least: Math.min(...read) / all },
    lateness: latenessOf(
      polls.filter(([, at]) => at < killedAt),
      POLL_MS,
    ),
    takenOver: { p50Ms: percentile(takenOver, 0.5), longestMs: maximum(takenOver) },
    residentBytes: maximum(resident),
    account: await accountOf(end, tenancy, databaseUrl),
  };
}

/** How many events each replica has read for the first time. */
function newEventsOf(bots: readonly BuiltBot[]): Promise<number[]> {
  return Promise.all(bots.map(async (bot) => sumOf(await bot.metrics(), 'notif_events_checked_total')));
}

async function readingsOf(databaseUrl: string) {
  const [transactions = 0] = await ask(
    databaseUrl,
    z.object({ n: z.coerce.number() }).transform(({ n }) => n),
    'SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return { at: performance.now(), cpuSeconds: await cpuSecondsOfServer(databaseUrl), transactions };
}

const TICKS_A_SECOND = 100;

/** CPU time of the server's processes, also of those whose connection was closed. NaN where there is no /proc. */
async function cpuSecondsOfServer(databaseUrl: string): Promise<number> {
  const pids = await ask(databaseUrl, z.object({ pid: z.number() }), 'SELECT pid FROM pg_stat_activity');
  const processes = (await Promise.all(pids.map(({ pid }) => statOf(pid)))).filter((found) => found !== null);
  const parent = await statOf(processes[0]?.parent ?? 0);
  if (parent === null) return Number.NaN;
  return processes.reduce((sum, { ticks }) => sum + ticks, parent.ticks + parent.ofEnded) / TICKS_A_SECOND;
}

/** From /proc: a process's parent, its CPU time, and that of its children that ended. Null where there is no such process. */
async function statOf(pid: number): Promise<{ parent: number; ticks: number; ofEnded: number } | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0);
  return { parent: fields[1] ?? 0, ticks: sum(11), ofEnded: sum(13) };
}

/** Waits until all that failed up to the end has been announced and posted, and compares. */
async function accountOf(end: number, tenancy: Tenancy, databaseUrl: string): Promise<Account> {
  const giveUpAt = Date.now() + POSTED_WITHIN_MS;
  const planted = Array.from(
    { length: tenancy.environments },
    (_, index) => eventsOfTenant(index + 1, tenancy, null).countsUntil(end).failures,
  ).reduce((sum, failures) => sum + failures, 0);
  for (;;) {
    const [found] = await ask(databaseUrl, AccountRow, ACCOUNT);
    if (found === undefined) throw new Error('The account has no row.');
    const isComplete = found.recorded >= planted && found.notAnnouncedOnce === 0 && found.notPosted === 0;
    if (isComplete || Date.now() > giveUpAt) return { planted, ...found };
    await wait(1_000);
  }
}

const Counted = z.coerce.number();
const AccountRow = z
  .object({ recorded: Counted, incidents: Counted, not_announced_once: Counted, not_posted: Counted })
  .transform(({ not_announced_once: notAnnouncedOnce, not_posted: notPosted, ...row }) => ({
    ...row,
    notAnnouncedOnce,
    notPosted,
  }));

/** An incident is announced by what began its row; that it grew, relapsed or became critical is announced beside it. */
const ACCOUNT = `
  WITH announced AS (
    SELECT e.id, count(a.episode_id) FILTER (WHERE a.reason NOT IN ('grown', 'relapsed', 'critical')) AS times
    FROM episodes e LEFT JOIN announcements a ON a.episode_id = e.id GROUP BY e.id)
  SELECT (SELECT count(*) FROM failures) AS recorded, (SELECT count(*) FROM episodes) AS incidents,
    (SELECT count(*) FROM announced WHERE times <> 1) AS not_announced_once,
    (SELECT count(*) FROM messages WHERE state <> 'posted') AS not_posted`;

async function ask<Row extends z.ZodType>(databaseUrl: string, Row: Row, text: string): Promise<z.output<Row>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows.map((row) => Row.parse(row));
  } finally {
    await client.end();
  }
}
