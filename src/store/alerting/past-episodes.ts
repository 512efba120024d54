import { startOfMinute, subMilliseconds } from 'date-fns';
import { z } from 'zod';
import type { FilteredBy, PastEpisode, RecordedFailures } from '../../domain/alerting/past-episode.ts';
import { RunningSums } from '../../domain/alerting/threshold.ts';
import type { Group } from '../../domain/failures/failure.ts';
import { isAmong } from '../../domain/fold.ts';
import { EPISODE_MS } from '../../domain/incidents/episode.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { countsOwn, type WatchFilter, type WatchSettings } from '../../domain/watches/watch.ts';
import type { PreviewStore } from '../../use-cases/watches/preview-watch.ts';
import { type Database, jsonOf, type SqlRows } from '../database/database.ts';
import { Beginning, Count } from '../database/row.ts';
import { GroupColumns, groupOfRow, StoredVerdict } from '../failures/tallies.ts';
import { isOwn, ownValues, topicsMeantIn } from '../incidents/incident-parts.ts';
import { AFTER_SEQ } from '../incidents/neighbours.ts';

/** Reads what previews of watches are made from. */
export function pastEpisodes(database: Database): Pick<PreviewStore, 'pastEpisodes'> {
  return { pastEpisodes: (environment, settings, since) => episodesSince(database, environment, settings, since) };
}

/** How many failures, and events of how many workflows, are read at a time, so that nothing else has to wait. */
const FAILURES_AT_ONCE = 10_000;
const WORKFLOWS_AT_ONCE = 5;

async function episodesSince(
  sql: SqlRows,
  environment: string,
  { filter, threshold }: Pick<WatchSettings, 'filter' | 'threshold'>,
  since: Date,
): Promise<PastEpisode[]> {
  const episodes = (await sql.rows(EpisodeRow, EPISODES, [environment, since])).filter(
    ({ channel, provider }) => isAmong([channel], filter.channels) && isAmong([provider], filter.providers),
  );
  const ids = jsonOf(episodes.map(({ id }) => id));
  const own = episodes.length === 0 ? null : await ownValues(sql, ids, filter);
  if (own === null) return [];
  const groups = new Map<string, Group[]>();
  const [found] = await sql.rows(GroupsRow, GROUPS, [ids]);
  for (const { incidentKey, group } of found?.groups ?? []) {
    groups.set(incidentKey, [...(groups.get(incidentKey) ?? []), group]);
  }
  const drawn = episodes.map((row): PastEpisode & { readonly recorded: RecordedFailures[] } => ({
    episodeId: row.id,
    incidentKey: row.incident_key,
    beganAs: row.began_as,
    relapses: row.relapses,
    relapsedAt: row.relapsed_at.map((time) => startOfMinute(time)),
    endedAt: row.ended_at.map((time) => startOfMinute(time)),
    groups: groups.get(row.incident_key) ?? [],
    recorded: [],
    events: new Map(),
  }));
  const topics = filter.topics.length === 0 ? [] : [jsonOf(await topicsMeantIn(sql, ids, filter.topics))];
  const keys = isOfSomePlaces(filter) ? [jsonOf([...groups.values()].flat().map(({ key }) => key))] : [];
  const asked = [...(countsOwn(filter) ? own : []), ...topics, ...keys];
  const statement = recordedBy(filter);
  const last = Math.max(...episodes.map(({ newest_seq }) => newest_seq));
  const courses = coursesOf(episodes, drawn);
  const first = Math.min(...episodes.map(({ after_seq }) => after_seq));
  const recordedAfter = (after: number) =>
    sql.rows(RecordedRow, statement, [environment, after, Math.min(last, after + FAILURES_AT_ONCE), ...asked]);
  let reading = recordedAfter(first);
  for (let to = first + FAILURES_AT_ONCE; ; to += FAILURES_AT_ONCE) {
    const rows = await reading;
    // The database reads on while these are added.
    if (to < last) reading = recordedAfter(to);
    for (const row of rows) addRecorded(courses.get(row.group_key) ?? [], row, filter);
    if (to >= last) break;
  }
  const seen = drawn.filter(({ recorded }) => recorded.length > 0);
  for (const { recorded } of seen) recorded.sort((one, other) => one.at - other.at);
  if (threshold === null || threshold.rate === null) return seen;
  const workflows = new Set(seen.flatMap((one) => one.groups.map(({ workflow }) => workflow ?? '')));
  const events = await eventsOf(sql, environment, [...workflows], subMilliseconds(since, 2 * EPISODE_MS));
  return seen.map((one) => ({ ...one, events }));
}

/** An episode to which failures of a group may belong, and the group's index in it. */
interface GroupCourse {
  readonly lastAt: number;
  readonly group: number;
  readonly announcement: Group['announcement'];
  readonly recorded: RecordedFailures[];
}

/** Returns the episodes of each group's incident by group key, the oldest first. */
function coursesOf(
  rows: readonly z.output<typeof EpisodeRow>[],
  episodes: readonly (PastEpisode & { readonly recorded: RecordedFailures[] })[],
): ReadonlyMap<string, readonly GroupCourse[]> {
  const courses = new Map<string, GroupCourse[]>();
  for (const [index, { groups, recorded }] of episodes.entries()) {
    const lastAt = rows[index]?.last_recorded_at.getTime() ?? 0;
    for (const [group, { key, announcement }] of groups.entries()) {
      courses.set(key, [...(courses.get(key) ?? []), { lastAt, group, announcement, recorded }]);
    }
  }
  return courses;
}

/** Adds failures to the first episode whose last failure was recorded no earlier, since the episodes of an incident follow each other. */
function addRecorded(
  courses: readonly GroupCourse[],
  { critical: isCritical, shown: texts, recorded }: z.output<typeof RecordedRow>,
  filter: WatchFilter,
): void {
  const shown = new Map<Group['announcement'], FilteredBy>();
  let last: { at: number; minute: number; failures: number } | undefined;
  for (let offset = 0; offset < recorded.length; offset += 2 * TIME_BYTES) {
    const at = minuteAt(recorded, offset);
    const minute = minuteAt(recorded, offset + TIME_BYTES);
    if (last?.at === at && last.minute === minute) {
      last.failures += 1;
      continue;
    }
    const course = courses.find(({ lastAt }) => at * MINUTE_MS <= lastAt);
    if (course === undefined) continue;
    const { group, announcement } = course;
    const shows = shown.get(announcement) ?? shownBy(texts, announcement, filter);
    shown.set(announcement, shows);
    const failures = { at, minute, group, failures: 1, isCritical, shown: shows };
    course.recorded.push(failures);
    last = failures;
  }
}

function shownBy(texts: string, announcement: Group['announcement'], filter: WatchFilter): FilteredBy {
  const [verdict = '', severity = '', ...topics] = texts.split(UNIT);
  const usual = announcement === 'announced' ? [] : [announcement];
  return {
    verdicts: verdict === '' ? usual : [StoredVerdict.parse(verdict)],
    severities: [severity === '' ? null : severity],
    topics: countsOwn(filter) ? filter.topics : topics.filter((topic) => topic !== ''),
    contexts: filter.contexts,
    tags: filter.tags,
    subscribers: filter.subscribers,
  };
}

const EpisodeRow = z.object({
  id: Count,
  incident_key: z.string(),
  channel: z.string(),
  provider: z.string().nullable(),
  after_seq: Count,
  newest_seq: Count,
  last_recorded_at: z.date(),
  began_as: Beginning,
  relapses: z.number(),
  relapsed_at: z.array(z.date()),
  ended_at: z.array(z.date()),
});

/** None begins earlier than the first failure of the day before. */
const EPISODES = `
  SELECT s.id, s.incident_key, g.channel, g.provider, s.began_as, s.relapses, s.relapsed_at, s.ended_at, s.newest_seq, s.last_recorded_at, GREATEST(
    ${AFTER_SEQ}, (
      SELECT f.seq - 1 FROM failures f WHERE f.environment = $1 AND f.recorded_at >= $2::timestamptz - interval '1 day'
      ORDER BY f.recorded_at, f.seq LIMIT 1
    )) AS after_seq
  FROM episodes s JOIN groups g ON g.key = s.group_key WHERE g.environment = $1 AND s.last_recorded_at >= $2 ORDER BY s.id`;

const GroupRow = GroupColumns.extend({ incident_key: z.string() }).transform(
  ({ incident_key: incidentKey, ...row }) => ({
    incidentKey,
    group: groupOfRow(row),
  }),
);

/** As one text they take a third of the time of as many rows. */
const GroupsRow = z.object({
  groups: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(GroupRow)),
});

const GROUPS = `
  SELECT coalesce(json_agg(g ORDER BY g.key)::text, '[]') AS groups FROM groups g WHERE g.key IN (
    SELECT group_key FROM episode_parts WHERE episode_id IN (SELECT value::bigint FROM jsonb_array_elements_text($1::jsonb)))`;

const UNIT = '\u001f';

/** Bytes of a time, and of a count, in PostgreSQL's binary format. */
const TIME_BYTES = 8;
const COUNT_BYTES = 4;

const MINUTE_OF_2000 = Date.UTC(2000, 0, 1) / MINUTE_MS;
const MINUTE_US = 1_000 * MINUTE_MS;

/** Returns the minute of a time, counted from 1970. PostgreSQL counts in microseconds since the year 2000. */
function minuteAt(bytes: Buffer, offset: number): number {
  const us = bytes.readInt32BE(offset) * 2 ** 32 + bytes.readUInt32BE(offset + 4);
  return MINUTE_OF_2000 + Math.floor(us / MINUTE_US);
}

/** Times and counts in PostgreSQL's binary format: they take a fraction of the time of as many rows. */
const Bytes = z.string().transform((text) => Buffer.from(text, 'base64'));

/** `recorded` is pairs of times: when a failure was recorded, and when it occurred. */
const RecordedRow = z.object({ group_key: z.string(), critical: z.boolean(), shown: z.string(), recorded: Bytes });

/** Returns whether a filter matches only incidents of some channels or providers, so that other failures needn't be examined. */
function isOfSomePlaces({ channels, providers }: WatchFilter): boolean {
  return channels.length > 0 || providers.length > 0;
}

/**
 * The failures of environment $1 after $2 up to $3 that match a filter's contexts, tags and subscribers, by group; and, if the filter uses
 * them, by verdict, severity and those of its topics that they have. Ignores what isn't needed.
 */
function recordedBy(filter: WatchFilter): string {
  const own = countsOwn(filter) ? `AND ${isOwn(4)}` : '';
  let next = countsOwn(filter) ? 8 : 4;
  const asked = () => `$${next++}::jsonb`;
  const shown = [
    filter.verdicts.length === 0 ? `''` : 'verdict',
    filter.severities.length === 0 ? `''` : `coalesce(severity, '')`,
    filter.topics.length === 0
      ? `''`
      : `array_to_string(ARRAY(SELECT topic FROM unnest(topics) AS topic WHERE ${asked()} ? topic), chr(31))`,
  ];
  const ofPlaces = isOfSomePlaces(filter)
    ? `AND group_key = ANY (ARRAY(SELECT jsonb_array_elements_text(${asked()})))`
    : '';
  const isAnyShown = shown.some((text) => text !== `''`);
  return `
    SELECT group_key, critical, ${isAnyShown ? shown.join(' || chr(31) || ') : `''`} AS shown,
      encode(string_agg(timestamptz_send(recorded_at) || timestamptz_send(occurred_at), ''), 'base64') AS recorded
    FROM failures WHERE environment = $1 AND seq > $2 AND seq <= $3 ${own} ${ofPlaces}
    GROUP BY 1, 2, 3`;
}

/** Returns the events of some workflows by minute since a time; '' stands for events without a workflow. */
async function eventsOf(
  sql: SqlRows,
  environment: string,
  workflows: readonly string[],
  from: Date,
): Promise<ReadonlyMap<string, RunningSums>> {
  const events = new Map<string, RunningSums>();
  for (let first = 0; first < workflows.length; first += WORKFLOWS_AT_ONCE) {
    const asked = jsonOf(workflows.slice(first, first + WORKFLOWS_AT_ONCE));
    for (const row of await sql.rows(EventsRow, EVENTS, [environment, asked, from])) {
      events.set(row.workflow, new RunningSums(countsIn(row.counted)));
    }
  }
  return events;
}

function countsIn(counted: Buffer): Map<number, number> {
  const counts = new Map<number, number>();
  for (let offset = 0; offset < counted.length; offset += TIME_BYTES + COUNT_BYTES) {
    counts.set(minuteAt(counted, offset) * MINUTE_MS, counted.readInt32BE(offset + TIME_BYTES));
  }
  return counts;
}

/** `counted` is pairs of a minute and its events. */
const EventsRow = z.object({ workflow: z.string(), counted: Bytes });

const EVENTS = `
  SELECT workflow, encode(string_agg(timestamptz_send(minute) || int4send(events), ''), 'base64') AS counted
  FROM event_counts WHERE environment = $1 AND workflow = ANY (ARRAY(SELECT jsonb_array_elements_text($2::jsonb))) AND minute >= $3
  GROUP BY workflow`;
