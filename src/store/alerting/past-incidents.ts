import { z } from 'zod';
import { isReached, NO_MINUTES } from '../../domain/alerting/threshold.ts';
import type { WatchSettings } from '../../domain/watches/watch.ts';
import type { PastIncident, PreviewStore } from '../../use-cases/watches/preview-watch.ts';
import type { Database, SqlRows } from '../database/database.ts';
import { Beginning, Count } from '../database/row.ts';
import { partsOf, wantedOf } from '../incidents/incident-parts.ts';
import { minutesFor } from './candidates.ts';

export function pastIncidents(database: Database): Pick<PreviewStore, 'pastIncidents'> {
  return { pastIncidents: (environment, settings, since) => incidentsSince(database, environment, settings, since) };
}

const EpisodeRow = z.object({ id: Count, incident_key: z.string(), began_as: Beginning, first_seen: z.date() });

const EPISODES = `
  SELECT s.id, s.incident_key, s.began_as, s.first_seen FROM episodes s JOIN groups g ON g.key = s.group_key
  WHERE g.environment = $1 AND s.last_recorded_at >= $2 ORDER BY s.id`;

/** So few episodes are counted in a statement that nothing else waits for it. */
const EPISODES_AT_ONCE = 5;

/** The days of an outage count as one incident. */
async function incidentsSince(
  sql: SqlRows,
  environment: string,
  settings: WatchSettings,
  since: Date,
): Promise<PastIncident[]> {
  const rows = await sql.rows(EpisodeRow, EPISODES, [environment, since]);
  const outages = new Map<string, PastIncident>();
  const ended: PastIncident[] = [];
  for (let from = 0; from < rows.length; from += EPISODES_AT_ONCE) {
    for (const { row, ...incident } of await covered(sql, settings, rows.slice(from, from + EPISODES_AT_ONCE))) {
      const before = outages.get(row.incident_key);
      if (before !== undefined && row.began_as !== 'goes-on') ended.push(before);
      outages.set(
        row.incident_key,
        before === undefined || row.began_as !== 'goes-on'
          ? incident
          : {
              ...before,
              failures: before.failures + incident.failures,
              isReached: before.isReached || incident.isReached,
            },
      );
    }
  }
  return [...ended, ...outages.values()];
}

async function covered(sql: SqlRows, settings: WatchSettings, rows: readonly z.output<typeof EpisodeRow>[]) {
  const { filter, threshold } = settings;
  const ids = rows.map(({ id }) => id);
  const parts = await partsOf(sql, ids, filter);
  const found = rows.flatMap((row) => {
    const tallies = wantedOf(parts.get(row.id) ?? [], filter).wanted.map(({ tally }) => tally);
    const [largest] = tallies;
    if (largest === undefined) return [];
    const failures = tallies.reduce((sum, tally) => sum + tally.failures, 0);
    return [{ row, group: largest.group, groupKeys: tallies.map(({ group }) => group.key), failures }];
  });
  const asked = found.map(({ row, groupKeys, failures }) => ({ id: row.id, groupKeys, failures }));
  const minutes = await minutesFor(sql, settings, asked);
  return found.map(({ row, group, failures }) => ({
    ...{ row, episodeId: row.id, group, failures, firstSeen: row.first_seen },
    isReached: threshold === null || isReached(threshold, minutes.get(row.id) ?? NO_MINUTES),
  }));
}
