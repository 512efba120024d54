import { z } from 'zod';
import { labelsOf } from '../domain/failures/labels.ts';
import type { Traffic } from '../domain/failures/traffic.ts';
import { FEWEST_EVENTS, type SharedLabel, sharedLabel } from '../domain/incidents/shared-label.ts';
import type { Db } from '../store/db.ts';
import type { IncidentRow } from './rows.ts';

/** How many of an incident's newest failures are examined. */
const MOST_EXAMINED = 250;

/** Returns the label that nearly all of an incident's events share, if most other events don't have it. */
export async function sharedLabelOf(
  sql: Db,
  { id, environment, events, startedSeq }: Pick<IncidentRow, 'id' | 'environment' | 'events' | 'startedSeq'>,
  traffic: Traffic,
): Promise<SharedLabel | null> {
  const sample = events < FEWEST_EVENTS ? [] : traffic.sample(environment);
  if (sample.length === 0) return null;
  const failed = await sql.rows(FailedRow, FAILED, [id, startedSeq]);
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

const FAILED = `
  SELECT DISTINCT ON (f.event_key) f.workflow, f.contexts, f.topics, f.tags, f.severity
  FROM (SELECT * FROM failures WHERE incident_id = $1 AND seq > $2 ORDER BY seq DESC LIMIT ${MOST_EXAMINED}) f
  ORDER BY f.event_key, f.seq DESC`;
