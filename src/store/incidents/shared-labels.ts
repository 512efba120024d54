import { z } from 'zod';
import { labelsOf } from '../../domain/failures/labels.ts';
import type { Traffic } from '../../domain/failures/traffic.ts';
import { FEWEST_EVENTS, type SharedLabel, sharedLabel } from '../../domain/incidents/shared-label.ts';
import { jsonOf, type SqlRows } from '../database/database.ts';
import { AFTER_SEQ } from './neighbours.ts';

/** How many of an incident's newest failures are examined, so that drawing an outage of a hundred thousand costs no more than any other. */
const MOST_LOOKED_AT = 250;

export interface LabelAsked {
  readonly episodeId: number;
  readonly environment: string;
  readonly groupKeys: readonly string[];
  readonly events: number;
}

/** Returns the label that nearly all of an incident's events share, if most other events don't have it. */
export async function sharedLabelOf(
  sql: SqlRows,
  { episodeId, environment, groupKeys, events }: LabelAsked,
  traffic: Traffic,
): Promise<SharedLabel | null> {
  const sample = events < FEWEST_EVENTS ? [] : traffic.sample(environment);
  if (sample.length === 0) return null;
  const failed = await sql.rows(FailedRow, FAILED, [episodeId, jsonOf(groupKeys)]);
  const shared = sharedLabel(failed, sample);
  return shared && { ...shared, isOfNewest: failed.length < events };
}

const FailedRow = z
  .object({
    workflow: z.string().nullable(),
    contexts: z.array(z.string()),
    topics: z.array(z.string()),
    tags: z.array(z.string()),
    severity: z.string().nullable(),
  })
  .transform(({ workflow, contexts, topics, tags, severity }) => ({
    workflow: workflow ?? '',
    labels: labelsOf({ contextKeys: contexts, topicKeys: topics, tags, severity }),
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
  SELECT DISTINCT ON (f.event_key) g.workflow, f.contexts, f.topics, f.tags, f.severity
  FROM newest f JOIN groups g ON g.key = f.group_key ORDER BY f.event_key, f.seq DESC`;
