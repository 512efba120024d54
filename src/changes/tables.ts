import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { StorableJson } from '../lib/text/shown-id.ts';
import { json, knownText, knownTime, names, numbered, stamp, type Table } from '../store/columns.ts';
import { Changed } from './change.ts';

/** What changed in an environment, or was deployed. */
export interface ChangeRow {
  id: number;
  environment: string;
  /** When it was noticed or reported. */
  at: Date;
  /** The change was made between this and `at`; null: at `at`. */
  notBefore: Date | null;
  /** Null: it can't be read. */
  what: StorableJson<Changed> | null;
}

export const changes: Table<'changes', ChangeRow, 'id', 'what'> = pgTable(
  'changes',
  {
    id: numbered(),
    environment: knownText(),
    at: knownTime(),
    notBefore: stamp(),
    what: json(Changed, () => null)
      .$type<StorableJson<Changed> | null>()
      .notNull(),
  },
  (t) => [index('changes_by_time').on(t.environment, t.at)],
);

export const Variables = z.array(z.string());

/** A workflow as the newest event shows it. */
export interface WorkflowRow {
  environment: string;
  identifier: string;
  id: string | null;
  name: string;
  /** Names that its payload is expected to have. */
  variables: string[];
  lastSeenAt: Date;
  critical: boolean;
  /** Names that it had before, which a filter may still use. */
  formerNames: string[];
  /** When an answer first showed that the service no longer has it. */
  deletedAt: Date | null;
}

export const workflows: Table<'workflows', WorkflowRow, 'critical' | 'formerNames'> = pgTable(
  'workflows',
  {
    environment: knownText(),
    identifier: knownText(),
    id: text(),
    name: knownText(),
    variables: json(Variables, () => []).notNull(),
    lastSeenAt: knownTime(),
    critical: boolean().notNull().default(false),
    formerNames: names(),
    deletedAt: stamp(),
  },
  (t) => [primaryKey({ columns: [t.environment, t.identifier] })],
);
