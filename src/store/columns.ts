import { sql } from 'drizzle-orm';
import { bigint, customType, pgTable as named, text } from 'drizzle-orm/pg-core';
import { jsonOf } from './db.ts';

export const stamp = customType<{ data: Date; driverData: Date }>({ dataType: () => 'timestamp with time zone' });
export const json = customType<{ data: unknown; driverData: unknown }>({ dataType: () => 'jsonb', toDriver: jsonOf });
export const parsed = <Data>(fromDriver: (stored: unknown) => Data) =>
  customType<{ data: Data }>({ dataType: () => 'jsonb', toDriver: jsonOf, fromDriver });
export const int8 = (name = '') => bigint(name, { mode: 'number' });
export const knownTime = () => stamp().notNull();
export const knownText = () => text().notNull();
export const fromZero = (name = '') => int8(name).notNull().default(0);
export const numbered = () => int8().primaryKey().generatedAlwaysAsIdentity();
export const NEW_ID = sql`gen_random_uuid()::text`;
/** Eight hexadecimal digits. */
export const NEW_CODE = sql`left(gen_random_uuid()::text, 8)`;
export const names = () => text().array().notNull().default(sql`'{}'`);

/** A row goes with the one that it names. The table's name spares importing another folder's tables. */
export const idIn = (table: string) =>
  text().references(() => named(table, { id: text().primaryKey() }).id, { onDelete: 'cascade' });
export const numberIn = (table: string) =>
  int8().references(() => named(table, { id: numbered() }).id, { onDelete: 'cascade' });
