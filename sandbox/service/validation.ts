import { z } from 'zod';
import { ApiError, type FieldErrors } from './faults.ts';

/** A query string: each parameter with its value, or with its values if it was repeated. */
export type Query = Record<string, string | string[]>;

export function toQuery(parameters: URLSearchParams): Query {
  const entries = [...new Set(parameters.keys())].map((name): [string, string | string[]] => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
  return Object.fromEntries(entries);
}

/** Parses the input by the schema. Throws the service's 422, which names each invalid field with its value. */
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

/** A parameter for several values that was given once becomes a list of one. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => {
    if (typeof value === 'object' && value !== null) return Reflect.get(value, key);
    return key === 0 ? value : undefined;
  }, input);
}

const repeated = z.union([z.array(z.string()), z.string().transform((value) => [value])]);
const once = (name: string) => z.string(`${name} must be given once`);

/** `type:id` (contract, "List all messages"). */
const CONTEXT_KEY = /^[^:\s]+:.+$/s;

/**
 * The types of query parameters. A query schema made of them is strict: the real service ignores unknown parameters and so hides a
 * misspelled filter; the sandbox refuses them. A single-value parameter is refused if it is repeated.
 */
export const parameter = {
  text: (name: string) => once(name).optional(),
  texts: () => repeated.optional(),
  oneOf: <T extends string>(name: string, values: readonly [T, ...T[]]) =>
    once(name)
      .pipe(z.enum(values, oneOfMessage(name, values)))
      .optional(),
  someOf: <T extends string>(name: string, values: readonly [T, ...T[]]) =>
    repeated.pipe(z.array(z.enum(values, `each value in ${oneOfMessage(name, values)}`))).optional(),
  contextKeys: (name: string) =>
    repeated
      .pipe(z.array(z.string().regex(CONTEXT_KEY, `each value in ${name} must have the format type:id`)))
      .optional(),
  integer: (name: string, { min, max = Number.POSITIVE_INFINITY, fallback }: Range) =>
    once(name)
      .transform((value) => (value.trim() === '' ? Number.NaN : Number(value)))
      .pipe(
        z
          .number()
          .int(`${name} must be an integer number`)
          .min(min, `${name} must not be less than ${min}`)
          .max(max, `${name} must not be greater than ${max}`),
      )
      .optional()
      .transform((value) => value ?? fallback),
};

function oneOfMessage(name: string, values: readonly string[]): string {
  return `${name} must be one of the following values: ${values.join(', ')}`;
}

interface Range {
  readonly min: number;
  readonly max?: number;
  readonly fallback: number;
}

export function requireObjectId(name: string, value: string): void {
  parse(z.object({ [name]: z.string().regex(/^[0-9a-f]{24}$/i, `${name} must be a mongodb id`) }), { [name]: value });
}
