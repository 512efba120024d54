import { rm } from 'node:fs/promises';
import { subDays, subMinutes } from 'date-fns';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { usualPauseMs } from '../src/coverage/silence.ts';
import { silent } from '../src/lib/logger.testing.ts';
import { Count } from '../src/store/db.ts';
import { openDb } from '../src/store/open.ts';
import { newStoreFolder } from '../src/store/store.testing.ts';
import { botEnvironment } from './bot.ts';
import { causeNamed } from './director/windows.ts';
import { writePast } from './past.ts';
import { noon } from './service/quiet.testing.ts';
import { startLocalService } from './service/server.ts';
import { noAccidents } from './service/world.ts';

const now = new Date(noon);
const yesterday = subDays(now, 1);
const outage = { to: yesterday, ...causeNamed('expiredKey') };

test('a past has nights, outages that are over and whose counts agree, and lets a silence be noticed', async () => {
  const life = { history: 2, accidents: noAccidents };
  const { url, apiKey, close } = await startLocalService({ ...life, now: () => noon, outages: [outage] });
  const folder = await newStoreFolder();
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  const slack = { apiUrl: url, botToken: 'xoxb-1', appToken: 'xapp-1' };
  const environments = [{ name: 'production', label: 'Production', url, apiKey }];
  const env = botEnvironment({}, { slack, environments, dataFolder: folder, port: 0 });
  // The second call finds the past that the first one wrote, and keeps it.
  for (const _ of [1, 2]) await writePast({ ...env, NOTIF_HORIZON_HOURS: '2' }, [now, yesterday]);

  const { db, ...database } = await openDb({ kind: 'embedded', folder }, { logger: silent });
  onTestFinished(() => database.close());
  const counted = async (from: number, to: number) => {
    const times = [from, to].map((hours) => new Date(noon - hours * 3_600_000));
    const [sum] = await db.rows(z.object({ sum: Count }), EVENTS, times);
    return sum?.sum ?? 0;
  };
  const [{ sum: halfHours } = { sum: 0 }] = await db.rows(z.object({ sum: Count }), HALF_HOURS, [
    subDays(now, 14),
    now,
  ]);
  expect(halfHours).toBe(14 * 48);
  expect(await counted(15 * 24, 14 * 24)).toBeGreaterThan(20_000);
  const [{ sum: domains } = { sum: 0 }] = await db.rows(z.object({ sum: Count }), DOMAINS, [subDays(now, 7)]);
  expect(domains).toBe(2);
  expect(await counted(37, 35)).toBeLessThan((await counted(25, 23)) / 4);

  const [incident, ...others] = await db.rows(Incident, INCIDENTS);
  expect(others).toEqual([]);
  expect(incident).toMatchObject({ state: 'resolved' });
  expect(incident?.failures).toBeGreaterThan(50);
  expect(incident?.lastAt.getTime()).toBeLessThan(yesterday.getTime());

  await db.write("DELETE FROM event_counts WHERE workflow = 'payment-failed' AND minute > $1", [subMinutes(now, 31)]);
  const times = { since: subMinutes(now, 31), until: now, coveredFrom: subDays(now, 8) };
  expect(await usualPauseMs(db, 'production', 'payment-failed', times)).toBeLessThan(10 * 60_000);
});

const EVENTS = 'SELECT sum(events) FROM event_counts WHERE minute >= $1 AND minute < $2';
const DOMAINS = `
  SELECT count(DISTINCT d.key) AS sum
  FROM success_counts, jsonb_each_text(domains) d
  WHERE minute < $1`;
const HALF_HOURS =
  "SELECT count(DISTINCT date_bin('30 minutes', minute, $1)) AS sum FROM event_counts WHERE minute >= $1 AND minute < $2";
const INCIDENTS = `
  SELECT i.state, o.failures, i.last_at
  FROM incidents i
  JOIN outbreaks o ON o.incident_id = i.id
  WHERE i.verdict_class = 'announced'`;
const Incident = z.object({ state: z.string(), failures: Count, lastAt: z.date() });
