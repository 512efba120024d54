import { z } from 'zod';
import type { Candidate } from '../../domain/alerting/alert-decision.ts';
import { isReached, type Minutes, NO_MINUTES } from '../../domain/alerting/threshold.ts';
import { countsOwn, type Watch, type WatchFilter, type WatchSettings, wants } from '../../domain/watches/watch.ts';
import { jsonOf, type SqlRows, type SqlWrite } from '../database/database.ts';
import { Beginning, Count, State } from '../database/row.ts';
import { type EpisodeParts, minutesOf } from '../failures/group-counts.ts';
import { TallyColumns, tallyOf } from '../failures/tallies.ts';
import {
  ownMinutes,
  partsOf,
  type StoredPart,
  tallyOfParts,
  type WantedParts,
  wantedOf,
} from '../incidents/incident-parts.ts';
import { FIRST_OF_OUTAGE } from '../incidents/neighbours.ts';
import type { UnsettledMute } from '../watches/watch-mutes.ts';
import { type AlertedBefore, alertedBefore, alertedEarlier, lastTurns } from './alerted-before.ts';
import { withCreated } from './created-minutes.ts';
import { type OutageCandidate, onePerOutage } from './one-per-outage.ts';
import { withheldBy } from './withheld.ts';

const EpisodeIdRow = z.object({ id: Count });

const TouchedRow = TallyColumns.extend({
  episode_id: Count,
  incident_key: z.string(),
  first_of_outage: Count.nullable(),
  began_as: Beginning,
  state: State,
  relapses: z.number(),
  acknowledged_at: z.date().nullable(),
  held_why: z.enum(['quiet', 'mute', 'pace', 'gone']).nullable(),
  held_since: z.date().nullable(),
});
type TouchedRow = z.output<typeof TouchedRow>;

/** Without a part if nothing is stored for it. */
interface Touched extends WantedParts {
  readonly row: TouchedRow;
  readonly parts: readonly StoredPart[];
}

/** Each outage by its newest episode that the watch covers, of those that counted a failure after `scannedSeq` or are held for later. */
export async function candidates(
  sql: SqlRows & SqlWrite,
  watch: Watch,
  environment: string,
  scannedSeq: number,
  mutes: readonly UnsettledMute[],
  now: Date,
): Promise<OutageCandidate[]> {
  const touched = await touchedRows(sql, watch, environment, scannedSeq);
  if (touched.length === 0) return [];
  const rows = touched.map(({ row }) => row);
  const episodeIds = rows.map(({ episode_id }) => episode_id);
  const covered = touched.map(({ row, wanted }) => ({
    id: row.episode_id,
    groupKeys: wanted.map(({ tally }) => tally.group.key),
  }));
  const lastAlert = await alertedBefore(sql, watch, covered);
  const earlier = await alertedEarlier(sql, watch.id, episodeIds);
  const turns = await lastTurns(sql, watch.id, now);
  const missed = await missedIn(sql, watch, touched, lastAlert, mutes, now);
  const fresh = touched.filter(({ row }) => !lastAlert.has(row.episode_id) && !earlier.has(row.episode_id));
  const minutes = await minutesFor(
    sql,
    watch.settings,
    fresh.map(({ row, wanted }) => ({
      ...{ id: row.episode_id, failures: row.failures },
      groupKeys: wanted.map(({ tally }) => tally.group.key),
    })),
  );
  const gone = await goneOf(sql, touched, lastAlert);
  const all = touched.map(({ row, ...of }) => ({
    ...factsOf({ row, ...of }),
    outage: `${row.incident_key} ${row.first_of_outage}`,
    heldEpisodes: row.held_why === null ? [] : [row.episode_id],
    lastAlert: lastAlertOf(lastAlert.get(row.episode_id), gone.has(row.episode_id)),
    wasAlertedEarlier: earlier.has(row.episode_id),
    incidentTurns: turns.get(row.incident_key) ?? [],
    mutedUntil: mutes.find(({ incidentKey }) => incidentKey === row.incident_key)?.until ?? null,
    missed: missed.get(row.episode_id) ?? 0,
    minutes: minutes.get(row.episode_id) ?? NO_MINUTES,
  }));
  const isCovered = ({ parts }: Candidate) => parts.some((part) => wants(watch.settings.filter, part));
  return [...onePerOutage(all.filter(isCovered)), ...all.filter((one) => !isCovered(one))];
}

/** Rows per statement. A bad day has hundreds of episodes, and nothing else is answered while one statement returns them. */
const ROWS_AT_ONCE = 100;

async function touchedRows(sql: SqlRows, watch: Watch, environment: string, scannedSeq: number): Promise<Touched[]> {
  const { filter } = watch.settings;
  const touched = await sql.rows(EpisodeIdRow, TOUCHED, [watch.id, environment, scannedSeq]);
  const rows: TouchedRow[] = [];
  for (let from = 0; from < touched.length; from += ROWS_AT_ONCE) {
    const ids = touched.slice(from, from + ROWS_AT_ONCE).map(({ id }) => id);
    rows.push(...(await sql.rows(TouchedRow, ROWS, [watch.id, jsonOf(ids)])));
  }
  const ids = rows.map(({ episode_id }) => episode_id);
  const parts = await partsOf(sql, ids, filter);
  return rows.flatMap((row) => {
    const all = parts.get(row.episode_id) ?? [];
    const of = wantedOf(all, filter);
    // A watch isn't alerted to a relapse of workflows, contexts, tags or subscribers that it doesn't cover.
    const isNew = row.held_why !== null || of.wanted.some(({ newestSeq }) => newestSeq > scannedSeq);
    return isNew ? [{ row, parts: all, ...of }] : [];
  });
}

/** The episodes of watch $1 in environment $2 that failed after failure $3, or that are held. */
const TOUCHED = `
  WITH touched AS MATERIALIZED (
    SELECT id FROM episodes WHERE newest_seq > $3 UNION SELECT episode_id FROM held_back WHERE watch_id = $1
  )
  SELECT s.id FROM touched JOIN episodes s ON s.id = touched.id JOIN groups g ON g.key = s.group_key AND g.environment = $2
  ORDER BY s.id`;

const ROWS = `
  SELECT g.*, s.id AS episode_id, ${FIRST_OF_OUTAGE} AS first_of_outage, s.began_as, s.state, s.relapses, s.acknowledged_at, s.failures, s.subscribers, s.events,
    s.first_seen, s.last_seen, s.verdicts, s.severities, s.critical, s.event_id, s.transaction_id, s.subscriber_id,
    held.why AS held_why, held.since AS held_since
  FROM jsonb_array_elements_text($2::jsonb) AS asked (id)
  JOIN episodes s ON s.id = asked.id::bigint
  JOIN groups g ON g.key = s.group_key
  LEFT JOIN held_back held ON held.watch_id = $1 AND held.episode_id = s.id`;

function factsOf({
  row,
  parts,
  wanted,
  isWhole,
}: Touched): Pick<
  Candidate,
  'episodeId' | 'beganAs' | 'state' | 'relapses' | 'tally' | 'parts' | 'isAcknowledged' | 'held'
> {
  return {
    episodeId: row.episode_id,
    beganAs: row.began_as,
    state: row.state,
    relapses: row.relapses,
    tally: tallyOfParts(wanted, tallyOf(row), isWhole),
    parts: parts.map(({ watchable }) => watchable),
    isAcknowledged: row.acknowledged_at !== null,
    held: row.held_why && row.held_since && { why: row.held_why, since: row.held_since },
  };
}

function lastAlertOf(lastAlert: AlertedBefore | undefined, isGone: boolean): Candidate['lastAlert'] {
  if (lastAlert === undefined) return null;
  const { failures, relapses, wasCritical } = lastAlert;
  return { failures, isGone, relapses, wasCritical };
}

async function goneOf(
  sql: SqlRows,
  touched: readonly Touched[],
  lastAlert: ReadonlyMap<number, AlertedBefore>,
): Promise<ReadonlySet<number>> {
  const asked = touched.flatMap(({ row: { episode_id: id }, wanted }) => {
    const endedAt = lastAlert.get(id)?.endedAt ?? null;
    return endedAt === null ? [] : wanted.map(({ newestSeq }) => ({ id, seq: newestSeq, endedAt }));
  });
  if (asked.length === 0) return new Set();
  const rows = await sql.rows(EpisodeIdRow, GONE, [jsonOf(asked)]);
  return new Set(rows.map(({ id }) => id));
}

const GONE = `
  SELECT DISTINCT asked.id FROM jsonb_to_recordset($1::jsonb) AS asked (id bigint, seq bigint, "endedAt" timestamptz)
  JOIN failures f ON f.seq = asked.seq AND f.recorded_at >= asked."endedAt"`;

function missedIn(
  sql: SqlRows,
  { settings: { filter } }: Watch,
  touched: readonly Touched[],
  lastAlert: ReadonlyMap<number, AlertedBefore>,
  mutes: readonly UnsettledMute[],
  now: Date,
): Promise<ReadonlyMap<number, number>> {
  const ended = mutes.filter(({ until }) => until <= now);
  const asked = touched.map(({ row: { episode_id: id }, wanted }) => {
    const groupKeys = wanted.map(({ tally }) => tally.group.key);
    return { id, groupKeys, afterSeq: lastAlert.get(id)?.seq ?? 0 };
  });
  return withheldBy(sql, ended, asked, filter);
}

export async function minutesFor(
  sql: SqlRows,
  { threshold, filter }: Pick<WatchSettings, 'threshold' | 'filter'>,
  episodes: readonly (EpisodeParts & { readonly failures: number })[],
): Promise<ReadonlyMap<number, Minutes>> {
  if (threshold === null) return new Map();
  const asked = episodes.filter(({ failures }) => failures >= threshold.failures);
  const all = await minutesOf(sql, asked, threshold.withinMs);
  const minutes = countsOwn(filter) ? await onlyOwn(sql, all, filter) : all;
  if (threshold.rate === null) return minutes;
  const mayReach = asked.filter(({ id }) => isReached(threshold, minutes.get(id) ?? NO_MINUTES));
  return withCreated(sql, minutes, mayReach, filter);
}

async function onlyOwn(
  sql: SqlRows,
  minutes: ReadonlyMap<number, Minutes>,
  filter: WatchFilter,
): Promise<ReadonlyMap<number, Minutes>> {
  const own = await ownMinutes(sql, [...minutes.keys()], filter);
  return new Map([...minutes].map(([id, { events }]) => [id, { failures: own.get(id) ?? new Map(), events }]));
}
