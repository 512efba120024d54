import { type Failure, groupOf, hasEpisodes } from '../../domain/failures/failure.ts';
import { jsonOf, type Sql } from '../database/database.ts';
import { notAfter } from '../database/not-after.ts';
import { type AddedFailure, addFailures } from '../failures/added-failures.ts';
import { countByMinute } from '../failures/group-counts.ts';
import { countInEpisodes } from '../incidents/episodes.ts';

export interface NewFailureCounts {
  readonly newFailures: number;
  readonly newFailedEvents: number;
}

/** Writes failures with their groups. A known failure stays as it is, in its first group, even if its verdict has changed since. */
export async function recordFailures(
  sql: Sql,
  environment: string,
  failures: readonly Failure[],
  now: Date,
): Promise<NewFailureCounts> {
  if (failures.length === 0) return { newFailures: 0, newFailedEvents: 0 };
  const grouped = failures.map((failure) => ({
    failure,
    group: groupOf(environment, failure),
    occurredAt: notAfter(now, failure.occurredAt ?? failure.eventCreatedAt ?? now),
  }));
  const groups = new Map(grouped.map(({ group }) => [group.key, group]));
  await sql.write(ADD_GROUPS, [jsonOf([...groups.values()])]);
  const added = await addFailures(sql, environment, grouped, now);
  const inEpisodes = added.filter(({ group }) => hasEpisodes(group.announcement));
  await countInEpisodes(sql, inEpisodes, now);
  await countByMinute(sql, inEpisodes);
  const announced = inEpisodes.filter(({ group }) => group.announcement === 'announced');
  return { newFailures: added.length, newFailedEvents: newFailedEvents(announced) };
}

const ADD_GROUPS = `
  INSERT INTO groups (key, environment, workflow, workflow_name, channel, provider, cause_text, cause_key, announcement, is_test)
  SELECT key, environment, workflow, "workflowName", channel, provider, cause ->> 'text', cause ->> 'key', announcement, "isTest"
  FROM jsonb_to_recordset($1::jsonb) AS item (key text, environment text, workflow text, "workflowName" text,
    channel text, provider text, cause jsonb, announcement text, "isTest" boolean)
  ON CONFLICT (key) DO NOTHING`;

function newFailedEvents(announced: readonly AddedFailure[]): number {
  const first = announced.filter(({ eventBefore }) => eventBefore === 0);
  return new Set(first.map(({ failure }) => failure.eventKey)).size;
}
