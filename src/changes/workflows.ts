import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { storableId } from '../judging/filter.ts';
import {
  boundedId,
  maskedId,
  maybeBoundedId,
  type Storable,
  type StorableJson,
  type StorableRow,
  storableText,
} from '../lib/text/shown-id.ts';
import type { TriggeredEvent } from '../service/event.ts';
import type { Workflow } from '../service/lists.ts';
import { type Db, rowsOf } from '../store/db.ts';
import { RENAMED, type WorkflowChange } from './change.ts';
import { addChanges } from './changes.ts';
import { workflows as table, Variables, type WorkflowRow } from './tables.ts';

const MOST_KNOWN = 2_000;

export type KnownWorkflow = Pick<WorkflowRow, 'id' | 'identifier' | 'name' | 'variables'>;

export async function workflowsIn(db: Db, environment: string): Promise<KnownWorkflow[]> {
  const { id, identifier, name, variables, lastSeenAt } = table;
  const known = db.select({ id, identifier, name, variables }).from(table).where(eq(table.environment, environment));
  return known.orderBy(desc(lastSeenAt), identifier).limit(MOST_KNOWN);
}

const EarlierRow = z.object({
  identifier: z.string(),
  name: z.string(),
  variables: Variables.catch([]),
  lastSeenAt: z.date(),
});

export interface SeenWorkflow extends Pick<TriggeredEvent, 'createdAt' | 'critical'> {
  workflow: Workflow;
}

export interface RenamedWorkflow {
  identifier: string;
  name: Storable;
}

/** Returns the workflows that have another name since. */
export async function recordWorkflows(
  tx: Db,
  environment: string,
  events: readonly SeenWorkflow[],
  at: Date,
): Promise<readonly RenamedWorkflow[]> {
  const seen = new Map<string, StorableRow<Omit<WorkflowRow, 'formerNames'>, 'environment'>>();
  for (const { workflow, createdAt, critical } of events) {
    const lastSeenAt = createdAt ?? at;
    const identifier = boundedId(workflow.identifier);
    const known = seen.get(identifier);
    if (known && known.lastSeenAt >= lastSeenAt) continue;
    const variables = workflow.variables.map(storableId);
    const row = { identifier, id: maybeBoundedId(workflow.id), name: storableId(workflow.name), variables };
    seen.set(identifier, { ...row, environment, lastSeenAt, critical });
  }
  if (seen.size === 0) return [];
  const earlier = await tx.rows(EarlierRow, remember([...seen.values()]));
  const changes = earlier.flatMap(({ lastSeenAt: notBefore, ...was }) => {
    const now = seen.get(was.identifier);
    const what = now && workflowChange(was, now);
    return what ? [{ environment, at, notBefore, what }] : [];
  });
  if (changes.length > 0) await addChanges(tx, changes);
  return earlier.flatMap(({ identifier, name: before }) => {
    const name = seen.get(identifier)?.name;
    return name === undefined || name === before ? [] : [{ identifier, name }];
  });
}

const remember = (seen: readonly object[]): SQL => sql`
  WITH item AS (
    SELECT * FROM jsonb_populate_recordset(NULL::workflows, ${rowsOf(seen)}::jsonb)
  ),
  earlier AS (
    SELECT w.*
    FROM workflows w
    JOIN item USING (environment, identifier)
    WHERE w.last_seen_at < item.last_seen_at
      AND (w.name <> item.name OR w.variables <> item.variables)
  ),
  remembered AS (
    INSERT INTO workflows (environment, identifier, id, name, variables, last_seen_at, critical)
    SELECT environment, identifier, id, name, variables, last_seen_at, critical
    FROM item
    ON CONFLICT (environment, identifier) DO UPDATE
    SET
      id = EXCLUDED.id,
      name = EXCLUDED.name,
      variables = EXCLUDED.variables,
      last_seen_at = EXCLUDED.last_seen_at,
      critical = EXCLUDED.critical,
      former_names = CASE
        WHEN workflows.name = EXCLUDED.name THEN workflows.former_names
        ELSE array_append(array_remove(workflows.former_names, workflows.name), workflows.name)
      END
    WHERE workflows.last_seen_at < EXCLUDED.last_seen_at
  )
  SELECT * FROM earlier`;

type Compared = Pick<Workflow, 'identifier' | 'name' | 'variables'>;

export function workflowChange(was: Compared, now: Compared): StorableJson<WorkflowChange> | null {
  const inOrder = (names: readonly string[]) => JSON.stringify([...new Set(names)].sort());
  // An event's workflow may leave out its variables.
  const isDeclared = was.variables.length > 0 && now.variables.length > 0;
  const aspects = [
    ...(isDeclared && inOrder(was.variables) !== inOrder(now.variables) ? ['variables changed'] : []),
    ...(was.name === now.name ? [] : [`${RENAMED} from ${maskedId(was.name)}`]),
  ].map(storableText);
  if (aspects.length === 0) return null;
  return { kind: 'workflow', identifier: boundedId(now.identifier), name: maskedId(now.name), aspects };
}
