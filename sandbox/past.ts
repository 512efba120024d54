import { pathToFileURL } from 'node:url';
import { addMinutes, subDays, subMinutes } from 'date-fns';
import { sql } from 'drizzle-orm';
import { noteUnseenEdit } from '../src/alerts/second-edit.ts';
import { BY_ITSELF } from '../src/audit/audit.ts';
import { explainCause } from '../src/causes/explain-cause.ts';
import { type Config, parseConfig } from '../src/config.ts';
import { environmentOf, notePresent, openEnvironment, putPasses } from '../src/coverage/environments.ts';
import { summedByKey } from '../src/coverage/minutes.ts';
import { agesUpTo } from '../src/coverage/pass-ages.ts';
import { settleIncidents } from '../src/incidents/settle.ts';
import { createTraffic } from '../src/judging/traffic.ts';
import { HOUR_MS, SECOND_MS, type TimeRange } from '../src/lib/time/durations.ts';
import { latestReadTo } from '../src/polling/passes.ts';
import { readSlices } from '../src/polling/read-slices.ts';
import { beginReading } from '../src/polling/reading.ts';
import { recordSlice } from '../src/polling/record-slice.ts';
import { createNotificationService } from '../src/service/operations.ts';
import type { Db } from '../src/store/db.ts';
import { openDb } from '../src/store/open.ts';
import { USUAL_SETTINGS } from '../src/watches/settings.ts';
import { changeWatch, configureWatch, watchesIn } from '../src/watches/watches.ts';
import { OUTAGE_MINUTES } from './service/traffic.ts';

/** A week, the one before, with which people compare it, and a day to spare. */
const DAYS = 15;

const ON_CALL = { kind: 'user-group', id: 'S0ONCALL' } as const;

const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };

/**
 * Stores in a fresh database what the bot would have stored, had it run for days, and lets its alerts mention who is on call. The outages,
 * which are of the first environment, and the last half hour are read from the service. All other time is like that half hour, with nights.
 */
export async function writePast(
  env: NodeJS.ProcessEnv,
  [now = new Date(), ...outageEnds]: readonly Date[],
): Promise<void> {
  const config = parseConfig(env);
  const { db, close } = await openDb(config.database, { logger });
  await mentionOnCall(db, config.digestChannel, now);
  for (const [index, environment] of config.environments.entries()) {
    const { name } = environment.environment;
    // A database that was kept has its past.
    if ((await environmentOf(db, name)) !== null) break;
    const read = await openForReading(db, config, environment, now);
    const lastHalfHour = { from: subMinutes(now, 30), to: now };
    await read(lastHalfHour);
    await copyBack(db, name, lastHalfHour.from);
    for (const to of index === 0 ? outageEnds : []) {
      await read({ from: subMinutes(to, OUTAGE_MINUTES), to });
      // An incident is recovering after five calm minutes, and resolved ten later: 20 is late enough.
      for (const minutes of [5, 20])
        await settleIncidents(db, name, config.horizonHours * HOUR_MS, addMinutes(to, minutes));
    }
  }
  await close();
}

async function mentionOnCall(db: Db, digestChannel: Config['digestChannel'], now: Date): Promise<void> {
  const ctx = { db, logger, now: () => now };
  await configureWatch(ctx, digestChannel);
  const [watch] = await watchesIn(db);
  const settings = { ...USUAL_SETTINGS, mention: ON_CALL };
  if (watch !== undefined) await changeWatch({ ...ctx, noteUnseenEdit }, watch.id, { settings, actor: BY_ITSELF });
}

/** Opens an environment as if it was known for `DAYS` and checked up to now. Returns a function that records a range from the service. */
async function openForReading(
  db: Db,
  { environments, horizonHours, pollSeconds }: Config,
  { environment, apiUrl: url, apiKey }: Config['environments'][number],
  now: Date,
): Promise<(range: TimeRange) => Promise<void>> {
  const { name } = environment;
  const known = await openEnvironment(db, name, subDays(now, DAYS));
  const service = createNotificationService({ environment, url, apiKey, logger });
  const polling = {
    horizonMs: horizonHours * HOUR_MS,
    pollMs: pollSeconds * SECOND_MS,
    environments: environments.map((each) => each.environment),
    db,
    logger,
    explainCause,
    serviceOf: () => service,
    traffic: createTraffic(),
  };
  await notePresent(db, name, known, { checkedTo: now, readAhead: [] });
  const agesRead = agesUpTo(polling.horizonMs).map((age): [number, Date] => [age, latestReadTo(age, now)]);
  await putPasses(db, known, new Map(agesRead));
  return async (range) => {
    const reading = beginReading({ ...polling, now: () => range.to }, known, new AbortController().signal);
    const how = { reads: 'present', asksForSteps: true, planned: null } as const;
    for await (const { read, findings } of readSlices(reading, range, [], how))
      await recordSlice(reading, findings, (_tx, writeCounts) => writeCounts(read === null ? [] : [read]));
  };
}

/**
 * The earlier half hours are thinned copies of the last one (`usual`). Now counts as noon: then all rows are copied, and at midnight a tenth.
 * The rows are chosen by a hash, so that each start chooses the same.
 */
async function copyBack(db: Db, environment: string, from: Date): Promise<void> {
  const earlier = sql`
    generate_series(1, ${48 * DAYS - 1}::integer) AS half_hours,
    LATERAL (SELECT half_hours * interval '30 minutes' AS ago) earlier
    WHERE abs(hashtext(usual::text || half_hours)) % 100 < 55 + 45 * cos(pi() * half_hours / 24)`;
  await db.write(sql`
    INSERT INTO event_counts (environment, workflow, minute, events, unreadable)
    SELECT environment, workflow, minute - ago, events, unreadable
    FROM (SELECT * FROM event_counts WHERE environment = ${environment} AND minute >= ${from}) usual, ${earlier}`);
  // One row for ten minutes: one for each minute would be too many.
  await db.write(sql`
    INSERT INTO success_counts
      (environment, workflow, channel, provider, minute, created, successes, last_at, latencies, domains)
    SELECT
      ${environment},
      workflow,
      channel,
      provider,
      slot - ago,
      slot - ago,
      successes,
      slot - ago + interval '59 seconds',
      latencies,
      domains
    FROM (
      SELECT
        workflow,
        channel,
        provider,
        date_bin('10 minutes', created, ${from}::timestamptz) AS slot,
        sum(successes) AS successes,
        coalesce(${summedByKey(sql`jsonb_agg(latencies)`)}, '{}') AS latencies,
        ${summedByKey(sql`jsonb_agg(domains)`)} AS domains
      FROM success_counts
      WHERE environment = ${environment}
        AND created >= ${from}
      GROUP BY 1, 2, 3, 4
    ) usual, ${earlier}`);
}

/** The sandbox runs this file in its own process, because the database takes hundreds of megabytes. */
const [file = '', ...given] = process.argv.slice(1);
const dates = given.map((time) => new Date(time));
if (import.meta.url === pathToFileURL(file).href) await writePast(process.env, dates);
