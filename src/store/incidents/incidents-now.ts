import { subMilliseconds } from 'date-fns';
import { z } from 'zod';
import { type Share, shareOf } from '../../domain/failures/share.ts';
import type { Traffic } from '../../domain/failures/traffic.ts';
import {
  type Acknowledgment,
  type Assignment,
  EPISODE_MS,
  type Mute,
  type StateNow,
} from '../../domain/incidents/episode.ts';
import { type IncidentNow, type Lately, MOST_PARTS } from '../../domain/incidents/incident-now.ts';
import type { Remembered } from '../../domain/incidents/last-time.ts';
import type { SharedLabel } from '../../domain/incidents/shared-label.ts';
import { datedAheadMs } from '../../domain/polling/clock.ts';
import { countsOwn, EVERYTHING, type WatchFilter } from '../../domain/watches/watch.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { Count, State } from '../database/row.ts';
import { TallyColumns, tallyOf } from '../failures/tallies.ts';
import { WATCH_COLUMNS, WatchRow } from '../watches/watches.ts';
import { changesBefore, type ExplainedEpisode } from './changes-before.ts';
import { ownMinutes, partsOf, type StoredPart, tallyOfParts, wantedOf } from './incident-parts.ts';
import { type LatelyAsked, latelyOf } from './lately.ts';
import { LAST_OF_OUTAGE, OUTAGE } from './neighbours.ts';
import { rememberedOf } from './remembered.ts';
import { sharedLabelOf } from './shared-labels.ts';
import { ALL_CHECKED, lastChecked, type UncheckedTime, uncheckedAfter } from './unchecked-time.ts';

export const ActsRow = z.object({
  acknowledged_by: z.string().nullable(),
  acknowledged_at: z.date().nullable(),
  unacknowledged_by: z.string().nullable(),
  unacknowledged_at: z.date().nullable(),
  assigned_to: z.string().nullable(),
  assigned_by: z.string().nullable(),
  assigned_at: z.date().nullable(),
});
type ActsRow = z.output<typeof ActsRow>;

export function byAt(by: string | null, at: Date | null): Acknowledgment | null {
  return by !== null && at !== null ? { by, at } : null;
}

export function assignmentOf({ assigned_to: to, assigned_by: by, assigned_at: at }: ActsRow): Assignment | null {
  return to !== null && by !== null && at !== null ? { to, by, at } : null;
}

const EpisodeRow = TallyColumns.extend({
  id: Count,
  state: State,
  state_at: z.date().nullable(),
  last_failure_at: z.date(),
  resolved_by: z.string().nullable(),
  relapses: z.number(),
  succeeding_since: z.date().nullable(),
  ...ActsRow.shape,
  muted_by: z.string().nullable(),
  muted_at: z.date().nullable(),
  muted_until: z.date().nullable(),
  outage_since: z.date(),
  checked_to: z.date(),
  clock_ahead_ms: Count.nullable(),
});
type EpisodeRow = z.output<typeof EpisodeRow>;

interface Shown {
  readonly row: EpisodeRow;
  readonly parts: readonly StoredPart[];
  readonly isWhole: boolean;
}

/** A watch that covers some workflows sees its part; without one (null), nothing is left out. */
export async function incidentsNow(
  sql: SqlRows,
  episodeIds: readonly number[],
  watchId: string | null,
  now: Date,
  traffic: Traffic | null = null,
): Promise<ReadonlyMap<number, IncidentNow>> {
  const filter = await filterOf(sql, watchId);
  const rows = await sql.rows(EpisodeRow, EPISODES, [jsonOf(episodeIds), watchId, now]);
  const parts = await partsOf(sql, episodeIds, filter);
  const shown = rows.map((row) => shownOf(row, parts.get(row.id) ?? [], filter));
  const own = countsOwn(filter) ? await ownMinutes(sql, episodeIds, filter) : NO_MINUTES;
  const unchecked = await uncheckedLately(sql, rows, now);
  const lately = await latelyOf(
    sql,
    shown.map((one) => {
      const asked = latelyAsked(one, own.get(one.row.id) ?? null, now);
      return { ...asked, to: lastChecked(asked.to, unchecked.get(one.row.environment) ?? ALL_CHECKED) };
    }),
  );
  const shares = await sharesOf(sql, shown);
  const labels =
    traffic === null || countsOwn(filter) ? new Map<number, SharedLabel | null>() : await sharedIn(sql, shown, traffic);
  const memories = await rememberedOf(sql, episodeIds);
  const changes = await changesBefore(sql, shown.map(explained));
  return new Map(
    shown.flatMap((one, index) => {
      const known = lately[index];
      if (known === undefined) return [];
      const { id } = one.row;
      const memory = memories.get(id) ?? NOTHING;
      const changedBefore = changes.get(id) ?? null;
      return [
        [id, { ...incidentNow(one, known, shares, labels.get(id) ?? null), ...memory, changedBefore, asOf: now }],
      ];
    }),
  );
}

const NO_MINUTES: Awaited<ReturnType<typeof ownMinutes>> = new Map();

async function filterOf(sql: SqlRows, watchId: string | null): Promise<WatchFilter> {
  if (watchId === null) return EVERYTHING;
  const [watch] = await sql.rows(WatchRow, `SELECT ${WATCH_COLUMNS} FROM watches w WHERE id = $1`, [watchId]);
  return watch?.settings.filter ?? EVERYTHING;
}

/** What a watch was alerted to stays in its rows even if its filter matches none of it anymore. */
function shownOf(row: EpisodeRow, all: readonly StoredPart[], filter: WatchFilter): Shown {
  const { wanted, isWhole } = wantedOf(all, filter);
  return wanted.length === 0 ? { row, parts: all, isWhole: true } : { row, parts: wanted, isWhole };
}

const NOTHING: Remembered = { note: null, lastTime: null };

function incidentNow(
  { row, parts, isWhole }: Shown,
  lately: Lately,
  shares: Shares,
  shared: SharedLabel | null,
): Omit<IncidentNow, keyof Remembered | 'changedBefore' | 'asOf'> {
  const tally = tallyOfParts(parts, tallyOf(row), isWhole);
  const acknowledged = byAt(row.acknowledged_by, row.acknowledged_at);
  return {
    episodeId: row.id,
    tally,
    outageSince: row.outage_since,
    parts: parts.slice(0, MOST_PARTS).map((part) => ({ tally: part.tally, share: shares.get(part) ?? null })),
    moreParts: Math.max(0, parts.length - MOST_PARTS),
    shared,
    lately,
    state: stateOf(row),
    relapses: row.relapses,
    acknowledged,
    unacknowledged: acknowledged === null ? byAt(row.unacknowledged_by, row.unacknowledged_at) : null,
    assigned: assignmentOf(row),
    mute: muteOf(row),
  };
}

function explained({ row, parts }: Shown): ExplainedEpisode {
  const { id: episodeId, environment, channel, provider } = row;
  const firstFailureAt = subMilliseconds(row.first_seen, datedAheadMs(row.clock_ahead_ms));
  const [only, ...others] = parts;
  const workflow = only === undefined || others.length > 0 ? null : only.tally.group.workflow;
  return { episodeId, environment, channel, provider, workflow, firstFailureAt };
}

async function uncheckedLately(
  sql: SqlRows,
  rows: readonly EpisodeRow[],
  now: Date,
): Promise<ReadonlyMap<string, UncheckedTime>> {
  const unchecked = new Map<string, UncheckedTime>();
  for (const { environment, checked_to } of rows) {
    if (unchecked.has(environment)) continue;
    const to = Math.min(checked_to.getTime(), now.getTime());
    unchecked.set(environment, await uncheckedAfter(sql, environment, new Date(to - EPISODE_MS)));
  }
  return unchecked;
}

/** Up to now by the service's clock, by which the row's other times are. */
function latelyAsked({ row, parts, isWhole }: Shown, own: LatelyAsked['ownMinutes'], now: Date): LatelyAsked {
  const { environment, channel, provider } = row;
  return {
    place: { environment, channel, provider },
    groupKeys: parts.map(({ tally }) => tally.group.key),
    countsAttempts: isWhole && row.announcement === 'announced',
    to: new Date(Math.min(row.checked_to.getTime(), now.getTime()) + datedAheadMs(row.clock_ahead_ms)),
    ownMinutes: isWhole ? null : own,
  };
}

/** Each episode with the state of its outage's last one: an incident that goes on for another day has one state, and one assignee. */
const EPISODES = `
  SELECT g.*, s.*, last.state, last.state_at, last.last_seen AS last_failure_at, last.resolved_by, last.relapses, last.succeeding_since,
    last.acknowledged_by, last.acknowledged_at, last.unacknowledged_by, last.unacknowledged_at, last.assigned_to, last.assigned_by,
    last.assigned_at, m.muted_by, m.muted_at, m.until AS muted_until, c.checked_to AS checked_to, c.clock_ahead_ms,
    (SELECT min(outage.first_seen) FROM (${OUTAGE}) outage) AS outage_since
  FROM episodes s JOIN groups g ON g.key = s.group_key JOIN environments c ON c.environment = g.environment
  CROSS JOIN LATERAL (${LAST_OF_OUTAGE}) last
  LEFT JOIN LATERAL (
    SELECT muted_by, muted_at, until FROM mutes JOIN groups muted ON muted.key = mutes.group_key
    WHERE watch_id = $2 AND muted.incident_key = g.incident_key AND settled_at IS NULL AND until > $3
    ORDER BY muted_at DESC LIMIT 1
  ) m ON true
  WHERE s.id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb))`;

/** The state as settled in the last poll (`settleIncidents`), so that a message says the same whenever it is drawn. */
function stateOf({ state, state_at, resolved_by, last_failure_at, succeeding_since }: EpisodeRow): StateNow {
  switch (state) {
    case 'firing':
      return { is: state };
    case 'quiet':
      return { is: state, since: last_failure_at };
    case 'recovering':
      return { is: state, since: last_failure_at, sendingSince: succeeding_since };
    case 'resolved':
      return { is: state, at: state_at ?? last_failure_at, by: resolved_by };
  }
}

function muteOf({ muted_by: by, muted_at: from, muted_until: until }: EpisodeRow): Mute | null {
  return by !== null && from !== null && until !== null ? { by, from, until } : null;
}

/**
 * Skips resolved incidents, whose row shows less, and watches for some contexts, tags or subscribers: their failures have those in common
 * anyway.
 */
async function sharedIn(
  sql: SqlRows,
  shown: readonly Shown[],
  traffic: Traffic,
): Promise<ReadonlyMap<number, SharedLabel | null>> {
  const labels = new Map<number, SharedLabel | null>();
  for (const { row, parts, isWhole } of shown) {
    if (row.state === 'resolved') continue;
    const { events } = tallyOfParts(parts, tallyOf(row), isWhole);
    const groupKeys = parts.map(({ tally }) => tally.group.key);
    const asked = { episodeId: row.id, environment: row.environment, groupKeys, events };
    labels.set(row.id, await sharedLabelOf(sql, asked, traffic));
  }
  return labels;
}

const EventsRow = z.object({ index: z.number(), events: Count, from: z.date().nullable(), to: z.date().nullable() });

type Shares = ReadonlyMap<StoredPart, Share | null>;

/** How many parts are read at a time: a workflow has a row per minute, and a long statement blocks all others. */
const SHARES_AT_ONCE = 10;

async function sharesOf(sql: SqlRows, shown: readonly Shown[]): Promise<Shares> {
  const asked = shown.flatMap(({ row, parts }) =>
    parts.slice(0, MOST_PARTS).map((part) => ({ episodeId: row.id, part })),
  );
  const shares = new Map<StoredPart, Share | null>();
  for (let from = 0; from < asked.length; from += SHARES_AT_ONCE) {
    const slice = asked.slice(from, from + SHARES_AT_ONCE);
    const questions = slice.map(({ episodeId, part: { tally } }, index) => {
      const { key, environment, workflow } = tally.group;
      return { index, episodeId, groupKey: key, environment, workflow: workflow ?? '' };
    });
    for (const { index, ...sum } of await sql.rows(EventsRow, WORKFLOW_EVENTS, [jsonOf(questions)])) {
      const part = slice[index]?.part;
      if (part === undefined || !sum.from || !sum.to) continue;
      shares.set(part, shareOf(part.tally.events, sum.events, { from: sum.from, to: sum.to }));
    }
  }
  return shares;
}

const WORKFLOW_EVENTS = `
  SELECT asked.index, coalesce((
      SELECT sum(events) FROM event_counts e WHERE e.environment = asked.environment AND e.workflow = asked.workflow
        AND minute >= date_trunc('minute', part.first_event_at, 'UTC') AND minute <= part.last_event_at
    ), 0) AS events, part.first_event_at AS from, part.last_event_at AS to
  FROM jsonb_to_recordset($1::jsonb) AS asked (index integer, "episodeId" bigint, "groupKey" text, environment text, workflow text)
  JOIN episode_parts part ON part.episode_id = asked."episodeId" AND part.group_key = asked."groupKey"`;
