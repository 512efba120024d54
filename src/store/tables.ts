import { pgTable, text } from 'drizzle-orm/pg-core';
import { json, time } from './columns.ts';

export const kv = pgTable('kv', {
  key: text().primaryKey(),
  value: json().notNull(),
  expiresAt: time(),
});
