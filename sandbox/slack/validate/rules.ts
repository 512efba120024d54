import { isJson } from '../json.ts';

/** One thing that Slack would not take, at an RFC 6901 pointer ('/0/text/text'). */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly constraint: { readonly type: string; readonly expected: readonly string[]; readonly got: string };
}

/** Says what is wrong with a value that stands at `pointer`; nothing when all is well. */
export type Rule = (value: unknown, pointer: string) => readonly Problem[];

export type Fields = Readonly<Record<string, Rule>>;

export function problem(
  pointer: string,
  code: string,
  message: string,
  expected: readonly string[],
  got: unknown,
): Problem {
  return { code, message, pointer, constraint: { type: code, expected, got: String(got) } };
}

/** A string of `min` to `max` characters, both included. */
export function string({ min = 0, max }: { min?: number; max: number }): Rule {
  return (value, at) => {
    if (typeof value !== 'string')
      return [problem(at, 'invalid_type', 'must provide a string', ['string'], typeof value)];
    if (value.length > max) return [tooLong(at, max, value.length)];
    if (value.length < min) return [tooShort(at, min, value.length)];
    return [];
  };
}

export function matching(pattern: RegExp, expected: string): Rule {
  return (value, at) =>
    typeof value === 'string' && pattern.test(value)
      ? []
      : [problem(at, 'invalid_format', `must be a valid ${expected}`, [expected], value)];
}

export const boolean: Rule = (value, at) =>
  typeof value === 'boolean' ? [] : [problem(at, 'invalid_type', 'must be a boolean', ['boolean'], typeof value)];

/** A whole number from `min` to `max`, both included. */
export function integer(min: number, max: number): Rule {
  return (value, at) => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return fits
      ? []
      : [problem(at, 'out_of_range', `must be an integer from ${min} to ${max}`, [`${min}..${max}`], value)];
  };
}

export const number: Rule = (value, at) =>
  typeof value === 'number' ? [] : [problem(at, 'invalid_type', 'must be a number', ['number'], typeof value)];

export function oneOf(...allowed: readonly unknown[]): Rule {
  return (value, at) =>
    allowed.includes(value)
      ? []
      : [problem(at, 'invalid_value', `must be one of ${allowed.join(', ')}`, allowed.map(String), value)];
}

/** An array of `min` to `max` items, each under the same rule. */
export function list({ min = 0, max }: { min?: number; max: number }, item: Rule): Rule {
  return (value, at) => {
    if (!Array.isArray(value)) return [problem(at, 'invalid_type', 'must be an array', ['array'], typeof value)];
    if (value.length > max) return [tooMany(at, max, value.length)];
    if (value.length < min) return [tooFew(at, min, value.length)];
    return value.flatMap((each, index) => item(each, `${at}/${index}`));
  };
}

/** An object with the required fields, perhaps the optional ones, and no others; then the rules about it as a whole. */
export function object(required: Fields, optional: Fields = {}, ...whole: readonly Rule[]): Rule {
  return (value, at) => {
    if (!isJson(value)) return [problem(at, 'invalid_type', 'must provide an object', ['object'], typeof value)];
    const missing = Object.keys(required).filter((field) => value[field] === undefined);
    const inside = Object.entries(value).flatMap(([field, part]) => {
      const rule = required[field] ?? optional[field];
      return rule === undefined ? [unknownField(at, field)] : part === undefined ? [] : rule(part, `${at}/${field}`);
    });
    return [...missing.map((field) => missingField(at, field)), ...inside, ...whole.flatMap((rule) => rule(value, at))];
  };
}

/** An object whose `type` picks the rule. */
export function byType(rules: Fields): Rule {
  return (value, at) => {
    if (!isJson(value)) return [problem(at, 'invalid_type', 'must provide an object', ['object'], typeof value)];
    if (value.type === undefined) return [missingField(at, 'type')];
    const rule = Object.hasOwn(rules, String(value.type)) ? rules[String(value.type)] : undefined;
    if (rule === undefined) return [unsupportedType(at, value.type, Object.keys(rules))];
    return rule(value, at);
  };
}

/** An object that must have at least one of the fields. */
export function atLeastOne(...fields: readonly string[]): Rule {
  const names = fields.map((field) => `\`${field}\``).join(' or ');
  return (value, at) =>
    isJson(value) && fields.some((field) => value[field] !== undefined)
      ? []
      : [problem(at, 'missing_field', `must define either ${names}`, fields, 'none')];
}

/** An object that must have exactly one of the fields. */
export function exactlyOne(...fields: readonly string[]): Rule {
  return (value, at) => {
    const given = isJson(value) ? fields.filter((field) => value[field] !== undefined) : [];
    if (given.length < 2) return atLeastOne(...fields)(value, at);
    return [
      problem(at, 'conflicting_fields', `must define only one of ${fields.join(', ')}`, fields, given.join(', ')),
    ];
  };
}

export function missingField(at: string, field: string): Problem {
  return problem(at, 'missing_field', `missing required field: ${field}`, [field], 'undefined');
}

export function unsupportedType(at: string, type: unknown, supported: readonly string[]): Problem {
  return problem(`${at}/type`, 'unsupported_type', `unsupported type: ${String(type)}`, supported, type);
}

export function tooMany(at: string, max: number, got: number): Problem {
  return problem(at, 'too_many', `no more than ${max} items allowed`, [`<= ${max}`], got);
}

function tooFew(at: string, min: number, got: number): Problem {
  return problem(at, 'too_few', `no fewer than ${min} items allowed`, [`>= ${min}`], got);
}

export function tooLong(at: string, max: number, got: number): Problem {
  return problem(at, 'too_long', `must be less than ${max + 1} characters`, [`<= ${max}`], got);
}

function tooShort(at: string, min: number, got: number): Problem {
  return problem(at, 'too_short', `must be more than ${min - 1} characters`, [`>= ${min}`], got);
}

function unknownField(at: string, field: string): Problem {
  return problem(at, 'unknown_field', `invalid additional property: ${field}`, [], field);
}
