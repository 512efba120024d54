import { z } from 'zod';
import { compareTallies, type GroupTally, gravest, highestSeverity } from '../../domain/failures/failure.ts';
import { countsOwn, type Watchable, type WatchFilter, wants } from '../../domain/watches/watch.ts';
import { BY_ITSELF, jsonOf, type SqlRows, type SqlValue } from '../database/database.ts';
import { Count } from '../database/row.ts';
import { namesMeant } from '../failures/filter-conditions.ts';
import { tallyOf, WatchableColumns, watchableOf } from '../failures/tallies.ts';
import { AFTER_SEQ } from './neighbours.ts';

const PartRow = WatchableColumns.extend({ episode_id: Count, newest_seq: Count });
type PartRow = z.output<typeof PartRow>;

/** One group's part of an episode, that is, one workflow's. */
export interface StoredPart {
  readonly tally: GroupTally;
  readonly watchable: Watchable;
  readonly newestSeq: number;
}

export interface WantedParts {
  readonly wanted: readonly StoredPart[];
  readonly isWhole: boolean;
}

/** Returns the parts of an episode that a watch covers; `partsOf` must have read them for its filter. */
export function wantedOf(parts: readonly StoredPart[], filter: WatchFilter): WantedParts {
  const wanted = parts.filter(({ watchable }) => wants(filter, watchable));
  if (!countsOwn(filter)) return { wanted, isWhole: wanted.length === parts.length };
  return { wanted: wanted.toSorted((one, other) => compareTallies(one.tally, other.tally)), isWhole: false };
}

/** Episodes per statement. A bad day has hundreds, and nothing else is answered while one statement returns them. */
const EPISODES_AT_ONCE = 100;

/** The largest first, with the names that a filter asks for. If it names any but topics, a part with matching failures counts only those. */
export async function partsOf(
  sql: SqlRows,
  episodeIds: readonly number[],
  filter: WatchFilter,
): Promise<ReadonlyMap<number, readonly StoredPart[]>> {
  const parts = new Map<number, StoredPart[]>();
  for (let from = 0; from < episodeIds.length; from += EPISODES_AT_ONCE) {
    const ids = jsonOf(episodeIds.slice(from, from + EPISODES_AT_ONCE));
    const topics = filter.topics.length === 0 ? [] : namesMeant(filter.topics, await topicsOf(sql, ids));
    const own = countsOwn(filter) ? await ownPartsOf(sql, ids, filter) : new Map<string, PartRow>();
    for (const row of await sql.rows(PartRow, PARTS, [ids, jsonOf(topics)])) add(parts, own.get(partKey(row)) ?? row);
  }
  return parts;
}

function partKey({ episode_id, key }: PartRow): string {
  return `${episode_id} ${key}`;
}

const TagRow = z.object({ tag: z.string() });

/** Returns the values of `isOwn` for those failures of episodes that match a filter's contexts, tags and subscribers. Null if none can. */
export async function ownValues(sql: SqlRows, ids: string, filter: WatchFilter): Promise<SqlValue[] | null> {
  if (!countsOwn(filter)) return ['[]', '[]', '[]', '[]'];
  const topics = filter.topics.length === 0 ? [] : namesMeant(filter.topics, await topicsOf(sql, ids));
  const tagged = filter.tags.length === 0 ? [] : await sql.rows(TagRow, TAGS, [ids]);
  const tags = namesMeant(
    filter.tags,
    tagged.map(({ tag }) => tag),
  );
  const isNever = (asked: readonly string[], spelled: readonly string[]) => asked.length > 0 && spelled.length === 0;
  if (isNever(filter.tags, tags) || isNever(filter.topics, topics)) return null;
  return [topics, filter.contexts, tags, filter.subscribers].map(jsonOf);
}

async function ownPartsOf(sql: SqlRows, ids: string, filter: WatchFilter): Promise<ReadonlyMap<string, PartRow>> {
  const values = await ownValues(sql, ids, filter);
  if (values === null) return new Map();
  const rows = await sql.rows(PartRow, OWN_PARTS, [ids, ...values]);
  return new Map(rows.map((row) => [partKey(row), row]));
}

const MinuteRow = z.object({ episode_id: Count, minute: z.date(), failures: Count });

export async function ownMinutes(
  sql: SqlRows,
  episodeIds: readonly number[],
  filter: WatchFilter,
): Promise<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const ids = jsonOf(episodeIds);
  const values = await ownValues(sql, ids, filter);
  const minutes = new Map<number, Map<number, number>>(episodeIds.map((id) => [id, new Map()]));
  if (values === null) return minutes;
  for (const { episode_id, minute, failures } of await sql.rows(MinuteRow, OWN_MINUTES, [ids, ...values])) {
    minutes.get(episode_id)?.set(minute.getTime(), failures);
  }
  return minutes;
}

const TopicRow = z.object({ topic: z.string() });

async function topicsOf(sql: SqlRows, ids: string): Promise<string[]> {
  const rows = await sql.rows(
    TopicRow,
    `WITH asked AS MATERIALIZED (SELECT value::bigint AS id FROM jsonb_array_elements_text($1::jsonb))
     SELECT DISTINCT unnest(topics) AS topic FROM episode_parts WHERE episode_id IN (SELECT id FROM asked)`,
    [ids],
  );
  return rows.map(({ topic }) => topic);
}

function add(parts: Map<number, StoredPart[]>, row: PartRow): void {
  const known = parts.get(row.episode_id) ?? [];
  known.push({ tally: tallyOf(row), watchable: watchableOf(row), newestSeq: row.newest_seq });
  parts.set(row.episode_id, known);
}

const PARTS = `
  WITH asked AS MATERIALIZED (SELECT value::bigint AS id FROM jsonb_array_elements_text($1::jsonb))
  SELECT g.*, part.*, ARRAY(SELECT topic FROM unnest(part.topics) AS topic WHERE $2::jsonb ? topic) AS topics_asked,
    '{}'::text[] AS contexts_asked, '{}'::text[] AS tags_asked, '{}'::text[] AS subscribers_asked
  FROM episode_parts part JOIN groups g ON g.key = part.group_key
  WHERE part.episode_id IN (SELECT id FROM asked)
  ORDER BY part.episode_id, part.critical DESC, part.failures DESC, g.key`;

/** The failures `f` of each group's part of the episodes $1. */
const FAILURES = `
  part AS MATERIALIZED (
    SELECT s.id AS episode_id, of.group_key, s.newest_seq,
      ${AFTER_SEQ} AS after_seq
    FROM jsonb_array_elements_text($1::jsonb) AS asked (id) JOIN episodes s ON s.id = asked.id::bigint
    JOIN episode_parts of ON of.episode_id = s.id
  ), own AS (
    SELECT part.episode_id, f.* FROM part CROSS JOIN LATERAL (
      SELECT * FROM failures WHERE group_key = part.group_key AND seq > part.after_seq AND seq <= part.newest_seq ${BY_ITSELF}
    ) f
  )`;

const TAGS = `WITH ${FAILURES} SELECT DISTINCT unnest(tags) AS tag FROM own`;

/** The condition of `ownValues`, with its values from `$first` to `$first + 3`; an empty list matches any. */
export function isOwn(first: number): string {
  return ['topics', 'contexts', 'tags', 'ARRAY[subscriber_id]']
    .map((kind, index) => [kind, `$${first + index}::jsonb`])
    .map(([kind, asked]) => `(${asked} = '[]' OR EXISTS (SELECT 1 FROM unnest(${kind}) AS name WHERE ${asked} ? name))`)
    .join(' AND ');
}

const OWN_MINUTES = `
  WITH ${FAILURES} SELECT episode_id, date_trunc('minute', occurred_at, 'UTC') AS minute, count(*) AS failures
  FROM own WHERE ${isOwn(2)} GROUP BY 1, 2`;

const OWN_PARTS = `
  WITH ${FAILURES}, tallied AS (
    SELECT episode_id, group_key, count(*) AS failures, count(DISTINCT subscriber_id) AS subscribers,
      count(DISTINCT event_key) AS events, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen,
      array_agg(DISTINCT verdict) AS verdicts, array_agg(DISTINCT severity) AS severities, bool_or(critical) AS critical,
      max(seq) AS newest_seq
    FROM own
    WHERE ${isOwn(2)}
    GROUP BY episode_id, group_key
  ), named AS (SELECT ARRAY(SELECT jsonb_array_elements_text($2::jsonb)) AS topics_asked,
    ARRAY(SELECT jsonb_array_elements_text($3::jsonb)) AS contexts_asked,
    ARRAY(SELECT jsonb_array_elements_text($4::jsonb)) AS tags_asked,
    ARRAY(SELECT jsonb_array_elements_text($5::jsonb)) AS subscribers_asked)
  SELECT g.*, tallied.*, newest.event_id, newest.transaction_id, newest.subscriber_id, named.*
  FROM tallied JOIN groups g ON g.key = tallied.group_key JOIN failures newest ON newest.seq = tallied.newest_seq CROSS JOIN named`;

/** A person affected by several workflows counts once in `whole`, and once for each workflow in a sum of some parts. */
export function tallyOfParts(parts: readonly StoredPart[], whole: GroupTally, isWhole: boolean): GroupTally {
  const tallies = parts.map(({ tally }) => tally);
  const largest = tallies[0];
  if (largest === undefined || isWhole) return { ...whole, group: largest?.group ?? whole.group };
  const sum = (of: (tally: GroupTally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  const newest = tallies.reduce((one, other) => (other.lastSeen > one.lastSeen ? other : one));
  return {
    group: largest.group,
    verdict: gravest(tallies.map(({ verdict }) => verdict)),
    failures: sum(({ failures }) => failures),
    subscribers: sum(({ subscribers }) => subscribers),
    events: sum(({ events }) => events),
    firstSeen: new Date(Math.min(...tallies.map(({ firstSeen }) => firstSeen.getTime()))),
    lastSeen: newest.lastSeen,
    severity: highestSeverity(tallies.map(({ severity }) => severity)),
    critical: tallies.some(({ critical }) => critical),
    example: newest.example,
  };
}
