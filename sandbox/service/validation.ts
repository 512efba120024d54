import { z } from 'zod';
import { invalid } from './api-error.ts';

export type Query = Record<string, string | string[]>;

export function toQuery(parameters: URLSearchParams): Query {
  const entries = [...new Set(parameters.keys())].map((name): [string, string | string[]] => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
  return Object.fromEntries(entries);
}

/** Refuses as the service does: seldom with the field's name, and with an empty message for a value that it doesn't know. */
export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { reportInput: true });
  if (result.success) return result.data;
  throw invalid(result.error.issues.flatMap(complaints));
}

/** Returns the service's lines for an issue, of which a missing field can have two. */
export function complaints({ path, message, ...issue }: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `property ${key} should not exist`);
  const words = message.startsWith('Invalid option') ? [''] : [message];
  const isMissing = issue.input === undefined;
  if (!isMissing) return words;
  const missing = `${String(path.at(-1))} should not be null or undefined`;
  // zod's own words for a missing value; a schema's own message comes as the second line.
  return message.startsWith('Invalid input') ? [missing] : [missing, ...words];
}

const repeated = z.union([z.array(z.string()), z.string().transform((value) => [value])]);
const once = z.string('must be given once');

/** Schemas of these types are stricter than the real service, which ignores a misspelled filter: tests notice unknown or repeated ones. */
export const parameter = {
  text: once.optional(),
  texts: repeated.optional(),
  someOf: <T extends string>(values: readonly T[]) => repeated.pipe(z.array(z.enum(values))).optional(),
  contextKeys: repeated
    .transform((keys) => keys.filter((key) => key !== ''))
    .pipe(z.array(z.string().regex(/^[^:\s]+:.+$/s)))
    .optional(),
  integer: (name: string, fallback: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) =>
    once
      .transform((value) => (value.trim() === '' ? Number.NaN : Number(value)))
      .pipe(
        z
          .int(`${name} must be an integer number`)
          .min(min, `${name} must not be less than ${min}`)
          .max(max, `${name} must not be greater than ${max}`),
      )
      .optional()
      .transform((value) => value ?? fallback),
};
