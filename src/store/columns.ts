import { type HasDefault, type IsIdentity, type IsPrimaryKey, type NotNull, type SQL, sql } from 'drizzle-orm';
import {
  bigint,
  type ConvertCustomConfig,
  customType,
  type PgBigInt53BuilderInitial,
  type PgColumn,
  type PgCustomColumnBuilder,
  type PgTableWithColumns,
  type PgTextBuilderInitial,
  pgTable as tableCalled,
  text,
} from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Storable } from '../lib/text/shown-id.ts';
import { jsonOf } from './db.ts';

export const stamp = customType<{ data: Date; driverData: Date }>({ dataType: () => 'timestamp with time zone' });
/** A text in JSON, of which the type says that it was scrubbed or masked when it was stored. */
export const StoredText = z.custom<Storable>((stored) => typeof stored === 'string');
/** A time in JSON. */
export const StoredTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d[T ]/)
  .pipe(z.coerce.date());
type Column<Data> = PgCustomColumnBuilder<ConvertCustomConfig<'', { data: Data }>>;
type TimeColumn = PgCustomColumnBuilder<ConvertCustomConfig<'', { data: Date; driverData: Date }>>;
type TextColumn = PgTextBuilderInitial<'', [string, ...string[]]>;
type Names = HasDefault<NotNull<ReturnType<TextColumn['array']>>>;
type NumberColumn = PgBigInt53BuilderInitial<''>;

/** JSON that `Value` doesn't describe is read as what `unreadable` makes of it, so that no other row is lost with it. */
export function json<Data, Unreadable>(
  Value: z.ZodType<Data>,
  unreadable: (stored: unknown) => Unreadable,
): Column<Data | Unreadable> {
  const fromDriver = (stored: unknown) => {
    const { data, success } = Value.safeParse(stored);
    return success ? data : unreadable(stored);
  };
  return customType<{ data: Data | Unreadable }>({ dataType: () => 'jsonb', toDriver: jsonOf, fromDriver })();
}
/** JSON of which other columns say what it is. */
export const jsonByRow = (): Column<unknown> => json(z.unknown(), (stored) => stored);
export const int8 = (): NumberColumn => bigint({ mode: 'number' });
export const knownTime = (): NotNull<TimeColumn> => stamp().notNull();
export const knownText = (): NotNull<TextColumn> => text().notNull();
export const fromZero = (): HasDefault<NotNull<NumberColumn>> => int8().notNull().default(0);
export const numbered = (): IsIdentity<IsPrimaryKey<NotNull<NumberColumn>>, 'always'> =>
  int8().primaryKey().generatedAlwaysAsIdentity();
export const NEW_ID: SQL = sql`gen_random_uuid()::text`;
/** Eight hexadecimal digits. */
export const NEW_CODE: SQL = sql`left(gen_random_uuid()::text, 8)`;
export const names = (): Names => text().array().notNull().default(sql`'{}'`);

/** A row goes with the one that it names. The table's name spares importing another folder's tables. */
export const referenceById = (table: string): TextColumn =>
  text().references(() => tableCalled(table, { id: text().primaryKey() }).id, { onDelete: 'cascade' });
export const referenceByNumber = (table: string): NumberColumn =>
  int8().references(() => tableCalled(table, { id: numbered() }).id, { onDelete: 'cascade' });

interface ColumnConfig<TableName extends string, Value, HasDefault extends boolean, NotNull extends boolean> {
  name: string;
  tableName: TableName;
  // biome-ignore lint/suspicious/noExplicitAny: Drizzle compares the kinds of columns invariantly, and rows don't depend on them.
  dataType: any;
  columnType: string;
  data: Value;
  // biome-ignore lint/suspicious/noExplicitAny: as for `dataType`.
  driverParam: any;
  notNull: NotNull;
  hasDefault: HasDefault;
  isPrimaryKey: boolean;
  isAutoincrement: boolean;
  hasRuntimeDefault: boolean;
  enumValues: string[] | undefined;
  generated: undefined;
}

/**
 * A table whose columns are the fields of `Row`: a missing one, or a wrong null, doesn't compile.
 * JSON that is never null, but can't always be read, is one of `Unreadable`.
 */
export type Table<
  Name extends string,
  Row,
  Defaults extends keyof Row = never,
  Unreadable extends keyof Row = never,
> = PgTableWithColumns<{
  name: Name;
  schema: undefined;
  dialect: 'pg';
  columns: {
    [Field in keyof Row]-?: PgColumn<
      ColumnConfig<
        Name,
        Field extends Unreadable ? Row[Field] : NonNullable<Row[Field]>,
        Field extends Defaults ? true : false,
        Field extends Unreadable ? true : null extends Row[Field] ? false : true
      >
    >;
  };
}>;
