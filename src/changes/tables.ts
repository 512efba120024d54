import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { StorableJson } from '../lib/text/shown-id.ts';
import { json, knownText, knownTime, names, numbered, stamp } from '../store/columns.ts';
import { Changed } from './change.ts';

export const changes = pgTable(
  'changes',
  {
    id: numbered(),
    environment: knownText(),
    at: knownTime(),
    notBefore: stamp(), // if known, the change was made between this and `at`
    what: json(Changed, () => null)
      .$type<StorableJson<Changed> | null>()
      .notNull(),
  },
  (t) => [index('changes_by_time').on(t.environment, t.at)],
);

export const Variables = z.array(z.string());

export const workflows = pgTable(
  'workflows',
  {
    environment: knownText(),
    identifier: knownText(),
    id: text(),
    name: knownText(),
    variables: json(Variables, () => []).notNull(),
    lastSeenAt: knownTime(),
    critical: boolean().notNull().default(false),
    formerNames: names(), // a filter may still use them
  },
  (t) => [primaryKey({ columns: [t.environment, t.identifier] })],
);
