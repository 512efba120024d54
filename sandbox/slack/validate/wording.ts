import type { ErrorObject } from 'ajv/dist/2020.js';
import { isJson } from '../json.ts';
import { lengthOf } from './length.ts';
import { valueAt } from './pointer.ts';
import { kindOf, type Problem, problem, shown } from './problem.ts';

/** A keyword that a value failed, with its parameters from Ajv and the value. */
interface Failure {
  readonly at: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly got: unknown;
}

/**
 * Converts an Ajv error to Slack's words. Stems seen in Slack's answers: 'must be less than', 'must be more than', 'no more than', 'missing
 * required field', 'unsupported type', 'must provide an object', 'must be a valid enum value', 'failed to match schema', 'must define
 * either'; the others are modeled on them.
 *
 * @param value the validated value, which has the invalid part
 * @param at the pointer of `value`
 */
export function problemOf(error: ErrorObject, value: unknown, at: string): Problem {
  const { keyword, instancePath, params } = error;
  const words = WORDINGS[keyword] ?? unmatched;
  return words({ at: `${at}${instancePath}`, params, got: valueAt(value, instancePath) });
}

type Wording = (failure: Failure) => Problem;

const WORDINGS: Readonly<Record<string, Wording>> = {
  type: ({ at, params: { type }, got }) => {
    const kind = String(type);
    const article = /^[aeiou]/.test(kind) ? 'an' : 'a';
    return problem(at, 'invalid_type', `must provide ${article} ${kind}`, { expected: [kind], got: kindOf(got) });
  },
  required: ({ at, params: { missingProperty: field } }) =>
    problem(at, 'missing_field', `missing required field: ${field}`, { expected: [field], got: undefined }),
  additionalProperties: ({ at, params: { additionalProperty: field } }) =>
    problem(at, 'unknown_field', `invalid additional property: ${field}`, { expected: [], got: field }),
  byType: ({ at, params, got }) =>
    problem(at, 'unsupported_type', `unsupported type: ${shown(got)}`, { expected: listed(params.allowedValues), got }),
  maxLength: ({ at, params: { limit }, got }) =>
    problem(at, 'too_long', `must be less than ${Number(limit) + 1} characters`, atMost(limit, sizeOf(got))),
  minLength: ({ at, params: { limit }, got }) =>
    problem(at, 'too_short', `must be more than ${Number(limit) - 1} characters`, atLeast(limit, sizeOf(got))),
  maxItems: ({ at, params: { limit }, got }) =>
    problem(at, 'too_many', `no more than ${limit} items allowed`, atMost(limit, sizeOf(got))),
  minItems: ({ at, params: { limit }, got }) =>
    problem(at, 'too_few', `no fewer than ${limit} items allowed`, atLeast(limit, sizeOf(got))),
  maximum: ({ at, params: { limit }, got }) =>
    problem(at, 'out_of_range', `must be at most ${limit}`, atMost(limit, got)),
  minimum: ({ at, params: { limit }, got }) =>
    problem(at, 'out_of_range', `must be at least ${limit}`, atLeast(limit, got)),
  exclusiveMinimum: ({ at, params: { limit }, got }) =>
    problem(at, 'out_of_range', `must be more than ${limit}`, { expected: [`> ${limit}`], got }),
  enum: ({ at, params, got }) =>
    problem(at, 'invalid_value', 'must be a valid enum value', { expected: listed(params.allowedValues), got }),
  const: ({ at, params: { allowedValue }, got }) =>
    problem(at, 'invalid_value', 'must be a valid enum value', { expected: [allowedValue], got }),
  format: ({ at, params: { format }, got }) =>
    problem(at, 'invalid_format', `must be a valid ${format}`, { expected: [format], got }),
  someOf: ({ at, params }) => needsOneOf(at, listed(params.fields)),
  onlyOneOf: ({ at, params, got }) => {
    const fields = listed(params.fields);
    const given = fields.filter((field) => isJson(got) && got[String(field)] !== undefined);
    if (given.length === 0) return needsOneOf(at, fields);
    const message = `must define only one of ${fields.map(quoted).join(', ')}`;
    return problem(at, 'conflicting_fields', message, { expected: fields, got: given.join(', ') });
  },
};

const unmatched: Wording = ({ at, got }) => problem(at, 'invalid', 'failed to match schema', { expected: [], got });

function needsOneOf(at: string, fields: readonly unknown[]): Problem {
  const message = `must define either ${fields.map(quoted).join(' or ')}`;
  return problem(at, 'missing_field', message, { expected: fields, got: undefined });
}

const atMost = (limit: unknown, got: unknown) => ({ expected: [`<= ${limit}`], got });
const atLeast = (limit: unknown, got: unknown) => ({ expected: [`>= ${limit}`], got });
const quoted = (field: unknown) => `\`${field}\``;
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Counts the characters of a text or the items of a list. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return lengthOf(value);
  return Array.isArray(value) ? value.length : 0;
}
