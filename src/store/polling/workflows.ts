import { z } from 'zod';
import type { Workflow } from '../../domain/service/event.ts';
import type { TrackedEvent } from '../../use-cases/polling/record-events.ts';
import type { WorkflowStore } from '../../use-cases/triggers/suggest-workflows.ts';
import { type Database, jsonOf, type Sql } from '../database/database.ts';

const WorkflowRow = z.object({
  id: z.string().nullable(),
  identifier: z.string(),
  name: z.string(),
  variables: z.array(z.string()),
});

/** More than a service has; a bound anyway. */
const MOST_WORKFLOWS = 2_000;

export function workflows(database: Database): WorkflowStore {
  return {
    workflows: (environment) =>
      database.rows(
        WorkflowRow,
        `SELECT id, identifier, name, variables FROM workflows WHERE environment = $1
         ORDER BY last_seen_at DESC, identifier LIMIT $2`,
        [environment, MOST_WORKFLOWS],
      ),
  };
}

/** Remembers the workflows of some events, the last one of each identifier as it is now. */
export async function recordWorkflows(
  sql: Sql,
  environment: string,
  trackedEvents: readonly Pick<TrackedEvent, 'workflow' | 'createdAt'>[],
  now: Date,
): Promise<void> {
  const seen = new Map<string, Workflow & { lastSeenAt: Date }>();
  for (const { workflow, createdAt } of trackedEvents) {
    const lastSeenAt = createdAt ?? now;
    const known = workflow && seen.get(workflow.identifier);
    if (workflow && (!known || known.lastSeenAt < lastSeenAt))
      seen.set(workflow.identifier, { ...workflow, lastSeenAt });
  }
  if (seen.size === 0) return;
  await sql.write(
    `INSERT INTO workflows (environment, identifier, id, name, variables, last_seen_at)
     SELECT $1, identifier, id, name, variables, "lastSeenAt"
     FROM jsonb_to_recordset($2::jsonb)
       AS item (identifier text, id text, name text, variables jsonb, "lastSeenAt" timestamptz)
     ON CONFLICT (environment, identifier) DO UPDATE SET id = EXCLUDED.id, name = EXCLUDED.name,
       variables = EXCLUDED.variables, last_seen_at = EXCLUDED.last_seen_at
     WHERE workflows.last_seen_at < EXCLUDED.last_seen_at`,
    [environment, jsonOf([...seen.values()])],
  );
}
