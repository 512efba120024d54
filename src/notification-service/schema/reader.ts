import type { z } from 'zod';
import { type Path, valueAt, without } from './without.ts';

/** What an answer, or a part of one, says in our words; or why it can't be read: the field at fault and what is wrong with it. */
export type Read<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** The fields that were left out because they aren't what the contract says, each once an item: 'jobs.executionDetails.raw'. */
      readonly odd: readonly string[];
    }
  | { readonly ok: false; readonly reason: string };

export type Reader<Value> = (body: unknown) => Read<Value>;

/** Parts of an answer that couldn't be read, one name for each: 'jobs.executionDetails'. */
export type Lost = readonly string[];

const NOTHING: readonly string[] = [];

/**
 * A schema of the service's words, and the function that says them in ours. It is tolerant by construction: what the schema doesn't
 * require reads as absent where it is of a wrong type. Where something required is wrong, the nearest thing around it that isn't
 * required is left out: an item of a list, else an optional field. Parts that held more than one value are named in `lost`. Only
 * where the whole would have to go can't it be read.
 *
 * Two steps on purpose: with zod's `transform` V8 came to hold on to pages that were done with, and a page of 50 events took up to
 * 1.7 ms of CPU instead of 0.7. What is as the contract says is looked at once.
 */
export function reader<Wire, Value>(
  schema: z.ZodType<Wire>,
  translate: (wire: Wire, lost: Lost) => Value,
): Reader<Value> {
  return (body) => {
    const first = schema.safeParse(body);
    if (first.success) return { ok: true, value: translate(first.data, NOTHING), odd: NOTHING };
    const odd = new Set(first.error.issues.map(({ path }) => nameOf(path)));
    const lost: string[] = [];
    // Each round leaves out something that is there, so that the next finds fault further up, or with nothing.
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
  /** It held, or should have held, more than one value. */
  readonly isPart: boolean;
}

/** What to leave out of a value, each once: what is at fault or, where it isn't there, what it is missing from. */
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

/** 'jobs.executionDetails.status': without the indices of items, so that there are no more names than the schema has. */
function nameOf(path: Path): string {
  return path.filter((key) => typeof key === 'string').join('.') || 'item';
}

/** 'transactionId: expected string'. Zod's own message may quote the value. */
function reasonOf([issue]: Issues): string {
  if (issue === undefined) return 'unknown';
  return `${nameOf(issue.path)}: ${issue.code === 'invalid_type' ? `expected ${issue.expected}` : issue.code}`;
}
