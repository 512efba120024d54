import { z } from 'zod';

/** PostgreSQL's bigint, which the server's driver returns as text and the embedded database as a number. */
export const Count = z.coerce.number().int();

/** Parses a row into fields in camel case from columns in snake case: `rowWith({ checkedTo: z.date() })` reads the column `checked_to`. */
export function rowWith<const Fields extends z.ZodRawShape>(fields: Fields) {
  const columnOf = (field: string) => field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  const columns = Object.keys(fields).map((field) => [field, columnOf(field)] as const);
  const Row = z.object(Object.fromEntries(Object.entries(fields).map(([field, type]) => [columnOf(field), type])));
  return Row.transform((row) => {
    const named: Record<string, unknown> = {};
    for (const [field, column] of columns) named[field] = row[column];
    return named as z.output<z.ZodObject<Fields>>;
  });
}

export const CountRow = z.object({ count: Count });
