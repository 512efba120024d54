import { isJson } from '../json.ts';
import type { Json } from '../page-protocol.ts';

/** Something that Slack wouldn't accept, in its words, with its RFC 6901 pointer ('/blocks/0/text/text'). */
export interface Problem {
  readonly message: string;
  readonly pointer: string;
}

/** Returns what Slack wouldn't accept of a value at a pointer. Accepts any JSON and never throws. */
export type Check = (value: unknown, at: string) => readonly Problem[];

/** A requirement of an object whose fields are each fine. */
export type Rule = (object: Json, at: string) => readonly Problem[];

type Fields = Readonly<Record<string, Check>>;

/** Formats a problem as chat.* and views.* do: `must be less than 76 characters [json-pointer:/blocks/0/text/text]`. */
export function lineOf({ message, pointer }: Problem): string {
  return `${message} [json-pointer:${pointer}]`;
}

export function problem(pointer: string, message: string): readonly Problem[] {
  return [{ message, pointer }];
}

export const boolean: Check = (value, at) => (typeof value === 'boolean' ? [] : problem(at, 'must provide a boolean'));

export const number: Check = (value, at) => (typeof value === 'number' ? [] : problem(at, 'must provide a number'));

/** A whole number from `least` to `most`, both included. */
export function integer(least: number, most = Number.POSITIVE_INFINITY): Check {
  return (value, at) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return problem(at, 'must provide an integer');
    if (value < least) return problem(at, `must be at least ${least}`);
    return value > most ? problem(at, `must be at most ${most}`) : [];
  };
}

/** A string of `least` to `most` code points; Slack doesn't say what it counts. */
export function text(most = Number.POSITIVE_INFINITY, least = 1): Check {
  return (value, at) => {
    if (typeof value !== 'string') return problem(at, 'must provide a string');
    const { length } = [...value];
    if (length < least) return problem(at, `must be more than ${least - 1} characters`);
    return length > most ? problem(at, `must be less than ${most + 1} characters`) : [];
  };
}

export function matching(form: RegExp, name: string): Check {
  return (value, at) => (typeof value === 'string' && form.test(value) ? [] : problem(at, `must be a valid ${name}`));
}

export function oneOf(...values: readonly unknown[]): Check {
  return (value, at) => (values.includes(value) ? [] : problem(at, 'must be a valid enum value'));
}

export function list(item: Check, { least = 0, most = Number.POSITIVE_INFINITY } = {}): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return problem(at, 'must provide an array');
    const inside = value.flatMap((each, index) => item(each, `${at}/${index}`));
    if (value.length < least) return [...problem(at, `no fewer than ${least} items allowed`), ...inside];
    return value.length > most ? [...problem(at, `no more than ${most} items allowed`), ...inside] : inside;
  };
}

/** An object with the required fields, possibly some of the optional ones, and no others. */
export function object(required: Fields, optional: Fields = {}, ...rules: readonly Rule[]): Check {
  const fields = { ...required, ...optional };
  return (value, at) => {
    if (!isJson(value)) return problem(at, 'must provide an object');
    const missing = Object.keys(required).filter((name) => value[name] === undefined);
    const given = Object.entries(value).filter(([, each]) => each !== undefined);
    return [
      ...missing.flatMap((name) => problem(at, `missing required field: ${name}`)),
      ...given.flatMap(([name, each]) =>
        Object.hasOwn(fields, name)
          ? (fields[name]?.(each, `${at}/${name}`) ?? [])
          : problem(at, `invalid additional property: ${name}`),
      ),
      ...rules.flatMap((rule) => rule(value, at)),
    ];
  };
}

/** Like `object`, for one of the `kinds`, which has a `type` as well. */
export function kind(required: Fields, optional: Fields = {}, ...rules: readonly Rule[]): Check {
  return object({ type: text(), ...required }, optional, ...rules);
}

/** An object whose `type` selects what it has to be. */
export function byType(kinds: Fields): Check {
  return (value, at) => {
    if (!isJson(value)) return problem(at, 'must provide an object');
    if (value.type === undefined) return problem(at, 'missing required field: type');
    const check = typeof value.type === 'string' && Object.hasOwn(kinds, value.type) ? kinds[value.type] : undefined;
    return (
      check?.(value, at) ?? problem(`${at}/type`, `unsupported type: ${JSON.stringify(value.type)}`.replace(/"/g, ''))
    );
  };
}

export function onlyOneOf(...names: readonly string[]): Rule {
  const quoted = names.map((name) => `\`${name}\``);
  return (value, at) => {
    const given = names.filter((name) => value[name] !== undefined).length;
    if (given === 0) return problem(at, `must define either ${quoted.join(' or ')}`);
    return given > 1 ? problem(at, `must define only one of ${quoted.join(', ')}`) : [];
  };
}
