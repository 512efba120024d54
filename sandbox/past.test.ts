import { subDays, subHours, subMinutes } from 'date-fns';
import { type SQL, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { usualPauseMs } from '../src/coverage/silence.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { MINUTE_MS } from '../src/lib/time/durations.ts';
import { Count, CountRow, type Db, onlyRow } from '../src/store/db.ts';
import { openDb } from '../src/store/open.ts';
import { dropDatabase, newDatabase } from '../src/store/store.testing.ts';
import { botEnvironment } from './bot.ts';
import { causeNamed } from './director/windows.ts';
import { writePast } from './past.ts';
import { noon } from './service/quiet.testing.ts';
import { startLocalService } from './service/server.ts';
import { noAccidents } from './service/world.ts';

const now = new Date(noon);
const yesterday = subDays(now, 1);
const twoWeeksAgo = subDays(now, 14);

describe('A past', () => {
  let db: Db;

  beforeAll(async () => {
    const outage = { to: yesterday, ...causeNamed('expiredKey') };
    const world = { history: 2, accidents: noAccidents, outages: [outage] };
    const { url, apiKey, close: closeService } = await startLocalService({ ...world, now: () => noon });
    const databaseUrl = await newDatabase();
    const slack = { apiUrl: url, botToken: 'xoxb-1', appToken: 'xapp-1' };
    const environments = [{ name: 'production', label: 'Production', url, apiKey }];
    const env = botEnvironment({}, { slack, environments, dataFolder: '', port: 0 });
    const variables = { ...env, DATABASE_URL: databaseUrl, NOTIF_HORIZON_HOURS: '2' };
    // The second call finds the past that the first one wrote, and keeps it.
    for (const _ of [1, 2]) await writePast(variables, [now, yesterday]);
    const opened = await openDb({ kind: 'server', url: databaseUrl }, { logger: silent });
    db = opened.db;
    return async () => {
      await opened.close();
      await closeService();
      await dropDatabase(databaseUrl);
    };
  });

  const countOf = async (query: SQL) => onlyRow(await db.rows(CountRow, query)).count;

  const eventsBetween = (from: Date, to: Date) =>
    countOf(sql`
      SELECT coalesce(sum(events), 0) AS count
      FROM event_counts
      WHERE minute >= ${from}
        AND minute < ${to}`);

  test('has traffic in each half hour of two weeks, and of the day before', async () => {
    const halfHours = await countOf(sql`
      SELECT count(DISTINCT date_bin('30 minutes', minute, ${twoWeeksAgo})) AS count
      FROM event_counts
      WHERE minute >= ${twoWeeksAgo}
        AND minute < ${now}`);
    expect(halfHours).toBe(14 * 48);
    // Several hundred an hour.
    expect(await eventsBetween(subDays(twoWeeksAgo, 1), twoWeeksAgo)).toBeGreaterThan(20_000);
  });

  test('has nights: now is noon', async () => {
    const aroundMidnight = await eventsBetween(subHours(now, 37), subHours(now, 35));
    const aroundNoon = await eventsBetween(subHours(now, 25), subHours(now, 23));
    expect(aroundMidnight).toBeLessThan(aroundNoon / 4);
  });

  test('has deliveries to both domains of recipients, in its first week, too', async () => {
    const domains = await countOf(sql`
      SELECT count(DISTINCT domain.key) AS count
      FROM success_counts, jsonb_each_text(domains) domain
      WHERE minute < ${subDays(now, 7)}`);
    expect(domains).toBe(2);
  });

  test('has an outage that is over, once, whose failures are counted', async () => {
    const Outage = z.object({ state: z.string(), failures: Count, lastAt: z.date() });
    const outages = await db.rows(
      Outage,
      sql`
        SELECT i.state, o.failures, i.last_at
        FROM incidents i
        JOIN outbreaks o ON o.incident_id = i.id
        WHERE i.verdict_class = 'announced'`,
    );
    expect(outages).toHaveLength(1);
    const outage = onlyRow(outages);
    expect(outage.state).toBe('resolved');
    expect(outage.failures).toBeGreaterThan(50);
    expect(outage.lastAt.getTime()).toBeLessThan(yesterday.getTime());
  });

  test('lets a workflow that has been silent for half an hour be noticed', async () => {
    const silentSince = subMinutes(now, 31);
    await db.write(sql`DELETE FROM event_counts WHERE workflow = 'payment-failed' AND minute > ${silentSince}`);
    const times = { since: silentSince, until: now, coveredFrom: subDays(now, 8) };
    expect(await usualPauseMs(db, 'production', 'payment-failed', times)).toBeLessThan(10 * MINUTE_MS);
  });
});
