import { pgTable, text } from 'drizzle-orm/pg-core';
import type { Stored } from '../lib/text/shown-id.ts';
import { jsonByRow, stamp } from './columns.ts';

export const kv = pgTable('kv', {
  key: text().primaryKey(),
  value: jsonByRow().$type<Stored>().notNull(),
  expiresAt: stamp(),
});
