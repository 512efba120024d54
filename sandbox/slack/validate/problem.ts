/** Something that Slack wouldn't accept, with its RFC 6901 pointer ('/0/text/text'). */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly pointer: string;
  readonly constraint: { readonly type: string; readonly expected: readonly string[]; readonly got: string };
}

/** What was expected, and what was received. */
export interface Constraint {
  readonly expected: readonly unknown[];
  readonly got: unknown;
}

export function problem(pointer: string, code: string, message: string, { expected, got }: Constraint): Problem {
  return { code, message, pointer, constraint: { type: code, expected: expected.map(String), got: shown(got) } };
}

/** Returns numbers and words unchanged, and the kind of lists and objects. */
export function shown(value: unknown): string {
  return typeof value === 'object' ? kindOf(value) : String(value);
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Formats a problem as chat.* and views.* do: `must be less than 76 characters [json-pointer:/blocks/0/text/text]`. */
export function lineOf({ message, pointer }: Problem): string {
  return `${message} [json-pointer:${pointer}]`;
}
