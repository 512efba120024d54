import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { OpenCount } from '../../domain/health/home.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import type { IncidentNow } from '../../domain/incidents/incident-now.ts';
import type { OpenIncidentsStore } from '../../use-cases/health/show-home.ts';
import type { HandoverStore } from '../../use-cases/health/write-handover.ts';
import type { IncidentsStore } from '../../use-cases/lookups/find-failures.ts';
import { type Database, jsonOf } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { incidentsNow } from './incidents-now.ts';
import { IS_LAST } from './neighbours.ts';

const CountRow = z.object({ environment: z.string(), failing: Count, quiet: Count });
const OpenRow = z.object({ id: Count, muted_in: Count });
const ByOwnerRow = z.object({ id: Count, total: Count, unowned: Count });

export function openIncidents(
  database: Database,
): OpenIncidentsStore & Pick<HandoverStore, 'openByOwner'> & IncidentsStore {
  return {
    incidentsOf: (groupKeys, now) => incidentsOf(database, groupKeys, now),
    openIncidents: async (environments, { offset, limit }, now) => {
      const since = subMilliseconds(now, EPISODE_MS);
      const names = jsonOf(environments);
      const counts: OpenCount[] = await database.rows(CountRow, COUNTS, [names, since]);
      const page = await database.rows(OpenRow, PAGE, [names, since, now, limit, offset]);
      const ids = page.map(({ id }) => id);
      const known = await incidentsNow(database, ids, null, now);
      const incidents = page.flatMap(({ id, muted_in: mutedIn }) => {
        const incident = known.get(id);
        return incident === undefined ? [] : [{ ...incident, mutedIn }];
      });
      return { incidents, offset, counts };
    },
    openByOwner: async (environments, limit, now) => {
      const since = subMilliseconds(now, EPISODE_MS);
      const rows = await database.rows(ByOwnerRow, BY_OWNER, [jsonOf(environments), since, limit]);
      const ids = rows.map(({ id }) => id);
      const known = await incidentsNow(database, ids, null, now);
      const { total = 0, unowned = 0 } = rows[0] ?? {};
      return { items: ids.flatMap((id) => known.get(id) ?? []), more: total - ids.length, unowned };
    },
  };
}

const KeyRow = z.object({ key: z.string(), id: Count });

async function incidentsOf(
  database: Database,
  groupKeys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, IncidentNow>> {
  if (groupKeys.length === 0) return new Map();
  const since = subMilliseconds(now, EPISODE_MS);
  const rows = await database.rows(KeyRow, NEWEST_OF_GROUPS, [jsonOf(groupKeys), since]);
  const known = await incidentsNow(database, [...new Set(rows.map(({ id }) => id))], null, now);
  return new Map(
    rows.flatMap(({ key, id }) => {
      const incident = known.get(id);
      return incident === undefined ? [] : [[key, incident] as const];
    }),
  );
}

const NEWEST_OF_GROUPS = `
  SELECT g.key, newest.id FROM groups g
  CROSS JOIN LATERAL (SELECT max(s.id) AS id FROM episodes s WHERE s.incident_key = g.incident_key AND s.last_recorded_at > $2) newest
  WHERE g.key IN (SELECT jsonb_array_elements_text($1::jsonb)) AND newest.id IS NOT NULL`;

/** The last episodes of incidents of the environments $1 that have failed since $2 and not recovered. */
export const OPEN = `
  FROM episodes s JOIN groups g ON g.key = s.group_key
  WHERE s.last_recorded_at > $2 AND s.state <> 'resolved' AND $1::jsonb ? g.environment AND g.announcement = 'announced'
    AND ${IS_LAST}`;

const COUNTS = `
  SELECT g.environment, count(*) FILTER (WHERE s.state = 'firing') AS failing, count(*) FILTER (WHERE s.state <> 'firing') AS quiet
  ${OPEN} GROUP BY 1`;

/** As `ownerOf`. */
const IS_UNOWNED = 's.assigned_to IS NULL AND s.acknowledged_by IS NULL';

/** Firing before quiet, then as in any list of incidents. */
const ORDER = `s.state <> 'firing', s.state, g.is_test, s.critical DESC, s.failures DESC, s.last_seen DESC, s.id`;
export const IN_ORDER = `ORDER BY ${ORDER}`;

const PAGE = `
  SELECT s.id,
    (SELECT count(*) FROM mutes m JOIN groups mg ON mg.key = m.group_key JOIN watches w ON w.id = m.watch_id
     WHERE mg.incident_key = s.incident_key AND m.settled_at IS NULL AND m.until > $3 AND w.ended_at IS NULL) AS muted_in
  ${OPEN} ${IN_ORDER} LIMIT $4 OFFSET $5`;

/** Each row has the totals. */
const BY_OWNER = `
  SELECT s.id, count(*) OVER () AS total, count(*) FILTER (WHERE ${IS_UNOWNED}) OVER () AS unowned
  ${OPEN} ORDER BY NOT (${IS_UNOWNED}), ${ORDER} LIMIT $3`;
