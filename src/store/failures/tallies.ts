import { z } from 'zod';
import {
  compareTallies,
  type Group,
  type GroupTally,
  gravest,
  highestSeverity,
} from '../../domain/failures/failure.ts';
import { ANNOUNCED_VERDICTS, COUNTED_VERDICTS } from '../../domain/failures/verdict.ts';
import type { Watchable } from '../../domain/watches/watch.ts';
import type { SqlRows, SqlValue } from '../database/database.ts';
import { Count } from '../database/row.ts';

export const StoredVerdict = z.enum([...ANNOUNCED_VERDICTS, ...COUNTED_VERDICTS]);
const StoredAnnouncement = z.enum(['announced', ...COUNTED_VERDICTS]);

const GroupColumns = z.object({
  key: z.string(),
  environment: z.string(),
  workflow: z.string().nullable(),
  workflow_name: z.string().nullable(),
  channel: z.string(),
  provider: z.string().nullable(),
  cause_text: z.string(),
  cause_key: z.string(),
  announcement: StoredAnnouncement,
  is_test: z.boolean(),
});

export const TallyColumns = GroupColumns.extend({
  verdicts: z.array(StoredVerdict),
  failures: Count,
  subscribers: Count,
  events: Count,
  first_seen: z.date(),
  last_seen: z.date(),
  severities: z.array(z.string().nullable()),
  critical: z.boolean(),
  event_id: z.string().nullable(),
  transaction_id: z.string(),
  subscriber_id: z.string().nullable(),
});

function groupOfRow(row: z.output<typeof GroupColumns>): Group {
  return {
    key: row.key,
    environment: row.environment,
    workflow: row.workflow,
    workflowName: row.workflow_name,
    channel: row.channel,
    provider: row.provider,
    cause: { text: row.cause_text, key: row.cause_key },
    announcement: row.announcement,
    isTest: row.is_test,
  };
}

export function tallyOf(row: z.output<typeof TallyColumns>): GroupTally {
  return {
    group: groupOfRow(row),
    verdict: gravest(row.verdicts),
    failures: row.failures,
    subscribers: row.subscribers,
    events: row.events,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    severity: highestSeverity(row.severities),
    critical: row.critical,
    example: { eventId: row.event_id, transactionId: row.transaction_id, subscriberId: row.subscriber_id },
  };
}

const Names = z.array(z.string());

/** `TallyColumns` with what a watch's filter is matched with: those of the topics, contexts, tags and subscribers that the filter names. */
export const WatchableColumns = TallyColumns.extend({
  topics_asked: Names,
  contexts_asked: Names,
  tags_asked: Names,
  subscribers_asked: Names,
});

export function watchableOf(row: z.output<typeof WatchableColumns>): Watchable {
  return {
    environment: row.environment,
    workflow: row.workflow,
    workflowName: row.workflow_name,
    channel: row.channel,
    provider: row.provider,
    severities: row.severities,
    verdicts: row.verdicts,
    topics: row.topics_asked,
    contexts: row.contexts_asked,
    tags: row.tags_asked,
    subscribers: row.subscribers_asked,
  };
}

export interface DatedTally {
  readonly tally: GroupTally;
  readonly firstEventAt: Date;
}

const TallyRow = TallyColumns.extend({ first_event_at: z.date() }).transform(
  (row): DatedTally => ({ tally: tallyOf(row), firstEventAt: row.first_event_at }),
);

/** The longest list of groups returned, the critical and the largest first: nobody reads further, and memory stays bounded. */
export const MOST_TALLIES = 500;

/** `failures` follows FROM: the table named `f`, its joins, and the conditions. */
export async function tallies(sql: SqlRows, failures: string, values: readonly SqlValue[]): Promise<DatedTally[]> {
  const found = await sql.rows(
    TallyRow,
    `WITH tallied AS (
       SELECT f.group_key, count(*) AS failures, count(DISTINCT f.subscriber_id) AS subscribers,
         count(DISTINCT f.event_key) AS events, min(f.occurred_at) AS first_seen, max(f.occurred_at) AS last_seen,
         min(f.event_created_at) AS first_event_at,
         array_agg(DISTINCT f.verdict) AS verdicts, array_agg(DISTINCT f.severity) AS severities,
         bool_or(f.critical) AS critical, max(f.seq) AS newest
       FROM ${failures}
       GROUP BY f.group_key
     )
     SELECT g.*, t.*, newest.event_id, newest.transaction_id, newest.subscriber_id
     FROM tallied t
     JOIN groups g ON g.key = t.group_key
     JOIN failures newest ON newest.seq = t.newest
     ORDER BY g.is_test, t.critical DESC, t.failures DESC LIMIT ${MOST_TALLIES}`,
    values,
  );
  return found.sort((a, b) => compareTallies(a.tally, b.tally));
}
