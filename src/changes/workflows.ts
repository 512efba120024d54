import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
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
import type { WorkflowChange } from './change.ts';
import { addChanges } from './changes.ts';
import { workflows as table, Variables, type WorkflowRow } from './tables.ts';

/** Menus and typed names are compared with these: the ones that were seen last. */
const MOST_KNOWN = 2_000;

export type KnownWorkflow = Pick<WorkflowRow, 'id' | 'identifier' | 'name' | 'variables'>;

export async function workflowsIn(db: Db, environment: string): Promise<KnownWorkflow[]> {
  const { id, identifier, name, variables, lastSeenAt } = table;
  const known = db.select({ id, identifier, name, variables }).from(table).where(eq(table.environment, environment));
  return known.orderBy(desc(lastSeenAt), identifier).limit(MOST_KNOWN);
}

/** Known workflows, by the IDs that events of deleted ones still have. */
export async function workflowsWithIds(
  db: Db,
  environment: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string | null, Workflow>> {
  if (ids.length === 0) return new Map();
  const { id, identifier, name, variables } = table;
  const isNamed = and(eq(table.environment, environment), inArray(id, ids.map(boundedId)));
  const rows = await db.select({ id, identifier, name, variables }).from(table).where(isNamed);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A workflow as it was known before an event showed it otherwise. */
const EarlierRow = z.object({
  id: z.string().nullable(),
  identifier: z.string(),
  name: z.string(),
  variables: Variables.catch([]),
  lastSeenAt: z.date(),
  deletedAt: z.date().nullable(),
});

/** A workflow as an event shows it. */
export interface SeenWorkflow extends Pick<TriggeredEvent, 'createdAt' | 'critical'> {
  workflow: Workflow;
  isDeleted: boolean;
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
  const seen = newestSeen(environment, events, at);
  const deleted = events.flatMap(({ workflow, isDeleted }) => (isDeleted ? workflow.identifier : []));
  await noteDeleted(tx, environment, deleted, at);
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

type SeenRow = StorableRow<Omit<WorkflowRow, 'formerNames' | 'deletedAt'>, 'environment'>;

/** Each workflow by its identifier, as its newest event shows it. */
function newestSeen(environment: string, events: readonly SeenWorkflow[], at: Date): ReadonlyMap<string, SeenRow> {
  const seen = new Map<string, SeenRow>();
  for (const { workflow, createdAt, critical, isDeleted } of events) {
    if (isDeleted) continue;
    const lastSeenAt = createdAt ?? at;
    const identifier = boundedId(workflow.identifier);
    const known = seen.get(identifier);
    if (known && known.lastSeenAt >= lastSeenAt) continue;
    const variables = workflow.variables.map(storableId);
    const row = { identifier, id: maybeBoundedId(workflow.id), name: storableId(workflow.name), variables };
    seen.set(identifier, { ...row, environment, lastSeenAt, critical });
  }
  return seen;
}

/** Workflows that an answer shows to be gone. Needs a lock on the environment. */
export async function noteDeleted(
  tx: Db,
  environment: string,
  identifiers: readonly string[],
  deletedAt: Date,
): Promise<void> {
  if (identifiers.length === 0) return;
  const isNew = and(
    eq(table.environment, environment),
    inArray(table.identifier, identifiers.map(boundedId)),
    isNull(table.deletedAt),
  );
  const gone = await tx.update(table).set({ deletedAt }).where(isNew).returning();
  const changes = gone.map(({ identifier, name, lastSeenAt: notBefore }) => {
    const aspects = [storableText('deleted')];
    const what = { kind: 'workflow', identifier: boundedId(identifier), name: maskedId(name), aspects } as const;
    return { environment, at: deletedAt, notBefore, what };
  });
  if (changes.length > 0) await addChanges(tx, changes);
}

/** Stores what was seen last, and returns what was known before where that is something else. */
const remember = (seen: readonly object[]): SQL => sql`
  WITH item AS (
    SELECT * FROM jsonb_populate_recordset(NULL::workflows, ${rowsOf(seen)}::jsonb)
  ),
  earlier AS (
    SELECT w.*
    FROM workflows w
    JOIN item USING (environment, identifier)
    WHERE w.last_seen_at < item.last_seen_at
      AND (
        w.name <> item.name
        OR w.variables <> item.variables
        OR w.id <> item.id
        OR w.deleted_at IS NOT NULL
      )
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
      deleted_at = NULL,
      former_names = CASE
        WHEN workflows.name = EXCLUDED.name THEN workflows.former_names
        ELSE array_append(array_remove(workflows.former_names, workflows.name), workflows.name)
      END
    WHERE workflows.last_seen_at < EXCLUDED.last_seen_at
  )
  SELECT * FROM earlier`;

export function workflowChange(
  was: KnownWorkflow & Pick<WorkflowRow, 'deletedAt'>,
  now: KnownWorkflow,
): StorableJson<WorkflowChange> | null {
  const inOrder = (names: readonly string[]) => JSON.stringify([...new Set(names)].sort());
  // An event's workflow may leave out its variables.
  const isDeclared = was.variables.length > 0 && now.variables.length > 0;
  const isSame = was.id === null || now.id === null || was.id === now.id;
  const aspects = [
    ...(isSame ? [] : ['created again']),
    ...(isSame && was.deletedAt !== null ? ['restored'] : []),
    ...(isDeclared && inOrder(was.variables) !== inOrder(now.variables) ? ['variables changed'] : []),
    ...(was.name === now.name ? [] : [`renamed from ${maskedId(was.name)}`]),
  ].map(storableText);
  if (aspects.length === 0) return null;
  return { kind: 'workflow', identifier: boundedId(now.identifier), name: maskedId(now.name), aspects };
}
