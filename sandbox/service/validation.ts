import { z } from 'zod';
import { ApiError, type FieldErrors } from './faults.ts';

export type Query = Record<string, string | string[]>;

export function toQuery(parameters: URLSearchParams): Query {
  const entries = [...new Set(parameters.keys())].map((name): [string, string | string[]] => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
  return Object.fromEntries(entries);
}

export function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ApiError(422, 'Validation Error', { errors: byField(result.error.issues.flatMap(complaints), input) });
}

interface Complaint {
  path: readonly PropertyKey[];
  message: string;
}

function complaints(issue: z.core.$ZodIssue): Complaint[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: `property ${key} should not exist` }));
}

function byField(all: readonly Complaint[], input: unknown): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of all) {
    const field = path.join('.') || 'body';
    errors[field] = { messages: [...(errors[field]?.messages ?? []), message], value: valueAt(input, path) };
  }
  return errors;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => {
    if (typeof value === 'object' && value !== null) return Reflect.get(value, key);
    return key === 0 ? value : undefined;
  }, input);
}

const repeated = z.union([z.array(z.string()), z.string().transform((value) => [value])]);
const once = z.string('must be given once');

/** The types of query parameters. What is unknown or repeated is refused: the real service ignores a misspelled filter. */
export const parameter = {
  text: once.optional(),
  texts: repeated.optional(),
  oneOf: <T extends string>(values: readonly [T, ...T[]]) => once.pipe(z.enum(values)).optional(),
  someOf: <T extends string>(values: readonly [T, ...T[]]) => repeated.pipe(z.array(z.enum(values))).optional(),
  contextKeys: repeated.pipe(z.array(z.string().regex(/^[^:\s]+:.+$/s))).optional(),
  integer: (min: number, fallback: number, max = Number.POSITIVE_INFINITY) =>
    once
      .transform((value) => (value.trim() === '' ? Number.NaN : Number(value)))
      .pipe(z.int().min(min).max(max))
      .optional()
      .transform((value) => value ?? fallback),
};
