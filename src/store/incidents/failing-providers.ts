import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { LATELY_MS } from '../../domain/incidents/incident-now.ts';
import type { ProviderNow } from '../../domain/lookups/provider-now.ts';
import { datedAheadMs } from '../../domain/polling/clock.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { FailingProvidersStore } from '../../use-cases/lookups/list-integrations.ts';
import { type Database, jsonOf } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { incidentsNow } from './incidents-now.ts';
import { IN_ORDER, OPEN } from './open-incidents.ts';
import { lastChecked, uncheckedAfter } from './unchecked-time.ts';

const MOST_INCIDENTS = 2;

const CheckedRow = z.object({ checked_to: z.date(), clock_ahead_ms: Count.nullable() });
const FailingRow = z.object({ channel: z.string(), provider: z.string(), failures: Count, attempts: Count });
const OpenRow = z.object({ id: Count, channel: z.string(), provider: z.string() });

/** Reads how providers do, as far as their environment has been checked, by the service's clock. */
export function failingProviders(database: Database): FailingProvidersStore {
  return { failingProviders: (environment, now) => failing(database, environment, now) };
}

async function failing(database: Database, environment: string, now: Date): Promise<ProviderNow[]> {
  const [checked] = await database.rows(CheckedRow, CHECKED, [environment]);
  if (checked === undefined) return [];
  const checkedTo = Math.min(checked.checked_to.getTime(), now.getTime()) + datedAheadMs(checked.clock_ahead_ms);
  const unchecked = await uncheckedAfter(database, environment, new Date(checkedTo - EPISODE_MS));
  const to = lastChecked(new Date(checkedTo), unchecked).getTime();
  const end = new Date(Math.floor(to / MINUTE_MS) * MINUTE_MS + MINUTE_MS);
  const window = { from: subMilliseconds(end, LATELY_MS), to: new Date(to) };
  const rows = await database.rows(FailingRow, FAILING, [environment, window.from, window.to]);
  if (rows.length === 0) return [];
  const since = subMilliseconds(now, EPISODE_MS);
  const open = await database.rows(OpenRow, OPEN_INCIDENTS, [jsonOf([environment]), since, MOST_INCIDENTS]);
  const ids = open.map(({ id }) => id);
  const known = await incidentsNow(database, ids, null, now);
  return rows.map(({ channel, provider, failures, attempts }) => ({
    channel,
    provider: provider === '' ? null : provider,
    window,
    failures,
    attempts,
    incidents: open
      .filter((one) => one.channel === channel && one.provider === provider)
      .flatMap(({ id }) => known.get(id) ?? []),
  }));
}

const CHECKED = 'SELECT checked_to, clock_ahead_ms FROM environments WHERE environment = $1';

const FAILING = `
  SELECT failed.channel, failed.provider, failed.failures, failed.failures + coalesce((
      SELECT sum(s.successes) FROM success_counts s
      WHERE s.environment = $1 AND s.channel = failed.channel AND s.provider = failed.provider AND s.minute >= $2 AND s.minute <= $3
    ), 0) AS attempts
  FROM (
    SELECT g.channel, coalesce(g.provider, '') AS provider, sum(n.failures) AS failures
    FROM groups g JOIN group_counts n ON n.group_key = g.key
    WHERE g.environment = $1 AND g.announcement = 'announced' AND n.minute >= $2 AND n.minute <= $3
    GROUP BY 1, 2
  ) failed ORDER BY 1, 2`;

const OPEN_INCIDENTS = `
  SELECT id, channel, provider FROM (
    SELECT s.id, g.channel, coalesce(g.provider, '') AS provider,
      row_number() OVER (PARTITION BY g.channel, g.provider ${IN_ORDER}) AS place
    ${OPEN}
  ) open WHERE place <= $3 ORDER BY channel, provider, place`;
