import { pgTable, text } from 'drizzle-orm/pg-core';
import type { Stored } from '../lib/text/shown-id.ts';
import { json, stamp } from './columns.ts';

export const kv = pgTable('kv', {
  key: text().primaryKey(),
  value: json().$type<Stored>().notNull(),
  expiresAt: stamp(),
});
