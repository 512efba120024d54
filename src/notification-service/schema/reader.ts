import type { z } from 'zod';
import { type Path, valueAt, without } from './without.ts';

/** A response, or a part of one, converted to Notif's types; or why it can't be read: the wrong field and its problem. */
export type Read<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** The fields that were left out because they differ from the contract, each once per item: 'jobs.executionDetails.raw'. */
      readonly odd: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export type BodyReader<Value> = (body: unknown) => Read<Value>;

/** The parts of a response that couldn't be read, each named once: 'jobs.executionDetails'. */
export type Lost = readonly string[];

const NOTHING: readonly string[] = [];

/**
 * Returns a reader from a schema of the service's types and a function that converts them to Notif's. It tolerates errors: an optional
 * field of a wrong type is treated as absent. If something required is wrong, the nearest optional thing around it is left out: an item of
 * a list, else an optional field. Parts that held more than one value are named in `lost`. A body can't be read only if all of it would
 * have to be left out.
 *
 * Parsing and converting are two steps on purpose: with zod's `transform`, V8 kept finished pages in memory, and a page of 50 events took
 * up to 1.7 ms of CPU instead of 0.7. A valid body is parsed only once.
 */
export function reader<Wire, Value>(
  schema: z.ZodType<Wire>,
  translate: (wire: Wire, lost: Lost) => Value,
): BodyReader<Value> {
  return (body) => {
    const first = schema.safeParse(body);
    if (first.success) return { ok: true, value: translate(first.data, NOTHING), odd: NOTHING };
    const odd = new Set(first.error.issues.map(({ path }) => nameOf(path)));
    const lost: string[] = [];
    // Each pass leaves out something that is present, so that the next one finds errors further up or none.
    for (let left = body, { issues } = first.error; ; ) {
      const cuts = cutsFor(left, issues);
      if (cuts.some(({ path }) => path.length === 0)) return { ok: false, reason: reasonOf(issues) };
      lost.push(...cuts.filter(({ isPart }) => isPart).map(({ path }) => nameOf(path)));
      left = without(
        left,
        cuts.map(({ path }) => path),
      );
      const again = schema.safeParse(left);
      if (again.success) return { ok: true, value: translate(again.data, lost), odd: [...odd] };
      issues = again.error.issues;
    }
  };
}

type Issues = readonly z.core.$ZodIssue[];

interface Cut {
  readonly path: Path;
  /** True if it held, or should have held, more than one value. */
  readonly isPart: boolean;
}

/** Returns what to leave out of a value, each once: the invalid part, or if something is missing, the part that lacks it. */
function cutsFor(value: unknown, issues: Issues): readonly Cut[] {
  const cuts = issues.map((issue) => {
    let path: Path = issue.path;
    while (path.length > 0 && valueAt(value, path) === undefined) path = path.slice(0, -1);
    const held = valueAt(value, path);
    return { path, isPart: (typeof held === 'object' && held !== null) || isForParts(issue) };
  });
  return [...new Map(cuts.map((cut) => [JSON.stringify(cut.path), cut])).values()];
}

function isForParts(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && (issue.expected === 'array' || issue.expected === 'object');
}

/** Names a path: 'jobs.executionDetails.status', without indices of items, so that there are no more names than the schema has. */
function nameOf(path: Path): string {
  return path.filter((key) => typeof key === 'string').join('.') || 'item';
}

/** Describes the first issue: 'transactionId: expected string'. Zod's own message may quote the value. */
function reasonOf([issue]: Issues): string {
  if (issue === undefined) return 'unknown';
  return `${nameOf(issue.path)}: ${issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.code}`;
}
