import { z } from 'zod';

/**
 * Returns the parts of a schema that no value shows: fields that are always missing or null, and enum values, literals and union members
 * that never occur. Each is a path, with an enum's value after `=`. A recursive type is followed once.
 */
export function unseen(
  schema: z.core.$ZodType,
  values: readonly unknown[],
  path: string,
  above: readonly object[] = [],
): string[] {
  if (above.includes(schema)) return [];
  const inside = [...above, schema];
  const present = values.filter((value) => value !== undefined && value !== null);
  if (present.length === 0) return [path];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unseen(schema.unwrap(), present, path, inside);
  if (schema instanceof z.ZodArray) return unseen(schema.element, present.flatMap(itemsOf), `${path}[]`, inside);
  if (schema instanceof z.ZodEnum)
    return schema.options.filter((option) => !present.includes(option)).map((option) => `${path}=${option}`);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option, nth) => {
      const own = present.filter((value) => z.safeParse(option, value).success);
      return unseen(option, own, `${path}|${nth}`, inside);
    });
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) =>
      unseen(
        field,
        present.map((value) => fieldOf(value, name)),
        `${path}.${name}`,
        inside,
      ),
    );
  return [];
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
