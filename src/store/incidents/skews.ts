import { z } from 'zod';
import type { Label } from '../../domain/failures/labels.ts';
import {
  type FailedEvent,
  FEWEST_EVENTS,
  NO_SKEWS,
  type Skews,
  skewsOf,
  suspectedLabels,
} from '../../domain/incidents/skews.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { type LabelAsked, labelCounts } from '../failures/label-counts.ts';
import { AFTER_SEQ } from './neighbours.ts';

/** How many of an incident's newest failures are examined, so that drawing an outage of a hundred thousand costs no more than any other. */
const MOST_LOOKED_AT = 250;

/** An episode, or the part of it that somebody sees. */
export interface SkewsAsked {
  readonly episodeId: number;
  readonly environment: string;
  readonly groupKeys: readonly string[];
  readonly events: number;
}

/** Returns whom an incident affects, if that is significant. */
export async function incidentSkews(
  sql: SqlRows,
  { episodeId, environment, groupKeys, events }: SkewsAsked,
): Promise<Skews> {
  if (events < FEWEST_EVENTS) return NO_SKEWS;
  const rows = await sql.rows(FailedRow, FAILED, [episodeId, jsonOf(groupKeys)]);
  const failed = rows.map(({ event }) => event);
  const asked = questionsOf(environment, rows);
  const counts = await labelCounts(sql, asked);
  const usual = new Map(asked.map(({ label, workflow }, index) => [keyOf(label, workflow), counts[index]]));
  const found = skewsOf(failed, (label, workflow) => usual.get(keyOf(label, workflow)) ?? null);
  return { found, newest: failed.length < events ? failed.length : null };
}

const FailedRow = z
  .object({
    workflow: z.string().nullable(),
    subscriber_id: z.string().nullable(),
    contexts: z.array(z.string()),
    topics: z.array(z.string()),
    tags: z.array(z.string()),
    severity: z.string().nullable(),
    event_created_at: z.date(),
  })
  .transform((row) => ({
    event: {
      workflow: row.workflow ?? '',
      subscriberId: row.subscriber_id,
      labels: [
        ...row.contexts.map((value): Label => ({ kind: 'context', value })),
        ...row.topics.map((value): Label => ({ kind: 'topic', value })),
        ...row.tags.map((value): Label => ({ kind: 'tag', value })),
        ...(row.severity === null ? [] : [{ kind: 'severity', value: row.severity } as const]),
      ],
    } satisfies FailedEvent,
    createdAt: row.event_created_at,
  }));

/** The events of the newest failures of episode $1 in the groups $2; each group is read from its end. */
const FAILED = `
  WITH bounds AS (
    SELECT s.newest_seq, ${AFTER_SEQ} AS after_seq FROM episodes s WHERE s.id = $1
  ), newest AS (
    SELECT f.* FROM bounds CROSS JOIN jsonb_array_elements_text($2::jsonb) AS part (key) CROSS JOIN LATERAL (
      SELECT * FROM failures WHERE group_key = part.key AND seq > bounds.after_seq AND seq <= bounds.newest_seq
      ORDER BY seq DESC LIMIT ${MOST_LOOKED_AT}
    ) f ORDER BY f.seq DESC LIMIT ${MOST_LOOKED_AT}
  )
  SELECT DISTINCT ON (f.event_key) g.workflow, f.subscriber_id, f.contexts, f.topics, f.tags, f.severity, f.event_created_at
  FROM newest f JOIN groups g ON g.key = f.group_key ORDER BY f.event_key, f.seq DESC`;

/** Asks about each suspected label, in each workflow, over the time in which the events were created. */
function questionsOf(environment: string, rows: readonly z.output<typeof FailedRow>[]): LabelAsked[] {
  const times = rows.map(({ createdAt }) => createdAt.getTime());
  const [from, to] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  const workflows = [...new Set(rows.map(({ event }) => event.workflow))];
  return suspectedLabels(rows.map(({ event }) => event)).flatMap((label) =>
    workflows.map((workflow) => ({ environment, workflow, label, from, to })),
  );
}

function keyOf({ kind, value }: Label, workflow: string): string {
  return JSON.stringify([kind, value, workflow]);
}
