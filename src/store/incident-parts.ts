import { z } from 'zod';
import { type GroupTally, gravest, severityRank } from '../domain/failure.ts';
import type { Watchable } from '../domain/watch.ts';
import { jsonOf, type Sql } from './database.ts';
import { meantBy } from './filter-conditions.ts';
import { Count } from './row.ts';
import { tallyOf, WatchableColumns, watchableOf } from './tallies.ts';

const PartRow = WatchableColumns.extend({ span_id: Count });
type PartRow = z.output<typeof PartRow>;

/** What of an episode is one group's, that is, one workflow's. */
export interface StoredPart {
  readonly tally: GroupTally;
  readonly watchable: Watchable;
}

/** So many episodes at once: a bad day has hundreds, and while one statement hands them out nothing else is answered. */
const EPISODES_AT_ONCE = 100;

/** The parts of some episodes, by the episodes' ids, those with the most failures first; of topics, those that are asked for. */
export async function partsOf(
  sql: Pick<Sql, 'rows'>,
  episodeIds: readonly number[],
  topics: readonly string[],
): Promise<ReadonlyMap<number, readonly StoredPart[]>> {
  const parts = new Map<number, StoredPart[]>();
  for (let from = 0; from < episodeIds.length; from += EPISODES_AT_ONCE) {
    const ids = jsonOf(episodeIds.slice(from, from + EPISODES_AT_ONCE));
    const asked = topics.length === 0 ? [] : meantBy(topics, await topicsOf(sql, ids));
    for (const row of await sql.rows(PartRow, PARTS, [ids, jsonOf(asked)])) add(parts, row);
  }
  return parts;
}

const TopicRow = z.object({ topic: z.string() });

/** The topics of some episodes, as they are spelled. */
async function topicsOf(sql: Pick<Sql, 'rows'>, ids: string): Promise<string[]> {
  const rows = await sql.rows(
    TopicRow,
    `WITH asked AS MATERIALIZED (SELECT value::bigint AS id FROM jsonb_array_elements_text($1::jsonb))
     SELECT unnest(topics) AS topic FROM span_groups WHERE span_id IN (SELECT id FROM asked)
     UNION SELECT unnest(topics) FROM spans WHERE id IN (SELECT id FROM asked)`,
    [ids],
  );
  return rows.map(({ topic }) => topic);
}

function add(parts: Map<number, StoredPart[]>, row: PartRow): void {
  const known = parts.get(row.span_id) ?? [];
  known.push({ tally: tallyOf(row), watchable: watchableOf(row) });
  parts.set(row.span_id, known);
}

/** An episode that a replica of the version before has counted is one part. */
const PARTS = `
  WITH asked AS MATERIALIZED (SELECT value::bigint AS id FROM jsonb_array_elements_text($1::jsonb)), part AS (
    SELECT span_id, group_key, failures, subscribers, events, first_seen, last_seen, verdicts, severities, topics, critical,
      event_id, transaction_id, subscriber_id
    FROM span_groups WHERE span_id IN (SELECT id FROM asked)
    UNION ALL
    SELECT id, group_key, failures, subscribers, events, first_seen, last_seen, verdicts, severities, topics, critical,
      event_id, transaction_id, subscriber_id
    FROM spans WHERE id IN (SELECT id FROM asked) AND NOT EXISTS (SELECT 1 FROM span_groups p WHERE p.span_id = spans.id)
  )
  SELECT g.*, part.*, ARRAY(SELECT topic FROM unnest(part.topics) AS topic WHERE $2::jsonb ? topic) AS topics_asked
  FROM part JOIN groups g ON g.key = part.group_key
  ORDER BY part.span_id, part.critical DESC, part.failures DESC, g.key`;

/**
 * What some parts amount to, of which there is at least one. `whole` is the tally of all: people that several workflows failed for count
 * there once, and among some of the parts once for each.
 */
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
    severity: tallies.map(({ severity }) => severity).toSorted((a, b) => severityRank(a) - severityRank(b))[0] ?? null,
    critical: tallies.some(({ critical }) => critical),
    example: newest.example,
  };
}
