import { and, desc, eq, gt } from 'drizzle-orm';
import { FEWEST_EVENTS, labelsOf, type SharedLabel, sharedLabel, type Traffic } from '../failures/labels.ts';
import type { Db } from '../store/db.ts';
import { failures } from '../store/schema.ts';
import type { IncidentRow } from './rows.ts';

/** How many of an incident's newest failures are examined. */
const MOST_EXAMINED = 250;

/** Returns the label that nearly all of an incident's events share, if most other events don't have it. */
export async function sharedLabelOf(
  db: Db,
  { id, environment, events, startedSeq }: Pick<IncidentRow, 'id' | 'environment' | 'events' | 'startedSeq'>,
  traffic: Traffic,
): Promise<SharedLabel | null> {
  const sample = events < FEWEST_EVENTS ? [] : traffic.sample(environment);
  if (sample.length === 0) return null;
  const newest = await db
    .select()
    .from(failures)
    .where(and(eq(failures.incidentId, id), gt(failures.seq, startedSeq)))
    .orderBy(desc(failures.seq))
    .limit(MOST_EXAMINED);
  const failed = [...new Map(newest.map((failure) => [failure.eventKey, labelled(failure)])).values()];
  const shared = sharedLabel(failed, sample);
  return shared && { ...shared, isOfNewest: failed.length < events };
}

function labelled({ workflow, contexts, topics, tags, severity }: typeof failures.$inferSelect) {
  const labels = labelsOf({ contextKeys: contexts, topicKeys: topics, tags, severity });
  return { workflow: workflow ?? '', labels };
}
