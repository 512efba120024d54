/** One thing that Slack would not take, at an RFC 6901 pointer ('/0/text/text'). */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly constraint: { readonly type: string; readonly expected: readonly string[]; readonly got: string };
}

/** What was wanted, and what came. */
export interface Constraint {
  readonly expected: readonly unknown[];
  readonly got: unknown;
}

export function problem(pointer: string, code: string, message: string, { expected, got }: Constraint): Problem {
  return { code, message, pointer, constraint: { type: code, expected: expected.map(String), got: shown(got) } };
}

/** Numbers and words as they stand; of lists and objects their kind. */
export function shown(value: unknown): string {
  return typeof value === 'object' ? kindOf(value) : String(value);
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** A problem as chat.* and views.* write it: `must be less than 76 characters [json-pointer:/blocks/0/text/text]`. */
export function lineOf({ message, pointer }: Problem): string {
  return `${message} [json-pointer:${pointer}]`;
}
