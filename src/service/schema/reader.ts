import type { z } from 'zod';

/**
 * A response, or a part of one, converted to Notif's types; or why it can't be read: the wrong field and its problem. `odd` names the fields
 * that were left out because they differ from the contract, each once per item: 'jobs.executionDetails.raw'.
 */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value; readonly odd: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export type BodyReader<Value> = (body: unknown) => Read<Value>;

/**
 * Returns a reader from a schema of the service's types and a function that converts them to Notif's. It tolerates errors: an optional
 * field of a wrong type is treated as absent. If something required is wrong, the nearest optional thing around it is left out: an item of
 * a list, else an optional field. Parts that held more than one value are named in `lost`. A body can't be read only if all of it would
 * have to be left out. A valid body is parsed once, and isn't converted by zod's `transform`, which costs twice the time.
 */
export function reader<Wire, Value>(
  schema: z.ZodType<Wire>,
  translate: (wire: Wire, lost: readonly string[], odd: readonly string[]) => Value,
): BodyReader<Value> {
  return (body) => {
    let left = body;
    let parsed = schema.safeParse(left);
    const odd = [...new Set(parsed.error?.issues.map(({ path }) => nameOf(path)))];
    const lost: string[] = [];
    // Each pass leaves out something that is present, so that the next one finds errors further up or none.
    while (!parsed.success) {
      const { issues } = parsed.error;
      const cuts = cutsFor(left, issues);
      const paths = cuts.map(({ path }) => path);
      if (paths.some((path) => path.length === 0)) return { ok: false, reason: reasonOf(issues) };
      lost.push(...cuts.filter(({ isPart }) => isPart).map(({ path }) => nameOf(path)));
      left = without(left, paths);
      parsed = schema.safeParse(left);
    }
    return { ok: true, value: translate(parsed.data, lost, odd), odd };
  };
}

type Issues = readonly z.core.$ZodIssue[];
type Path = readonly PropertyKey[];

/** Returns what to leave out, each once: the invalid part, or if something is missing, the part that lacks it. `isPart`: of several values. */
function cutsFor(value: unknown, issues: Issues): readonly { readonly path: Path; readonly isPart: boolean }[] {
  const cuts = issues.map((issue) => {
    let path: Path = issue.path;
    while (path.length > 0 && valueAt(value, path) === undefined) path = path.slice(0, -1);
    const held = valueAt(value, path);
    const isForParts = issue.code === 'invalid_type' && (issue.expected === 'array' || issue.expected === 'object');
    return { path, isPart: (typeof held === 'object' && held !== null) || isForParts };
  });
  return [...new Map(cuts.map((cut) => [JSON.stringify(cut.path), cut])).values()];
}

function valueAt(value: unknown, path: Path): unknown {
  const inside = (inner: unknown, key: PropertyKey) =>
    typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined;
  return path.reduce(inside, value);
}

function without(value: unknown, paths: readonly Path[]): unknown {
  const kept = (key: PropertyKey, inner: unknown): readonly unknown[] => {
    const inside = paths.filter(([first]) => first === key).map((path) => path.slice(1));
    if (inside.some((path) => path.length === 0)) return [];
    return [inside.length === 0 ? inner : without(inner, inside)];
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => kept(index, item));
  const fields = Object.entries(value ?? {});
  return Object.fromEntries(fields.flatMap(([key, field]) => kept(key, field).map((inner) => [key, inner])));
}

/** Names a path: 'jobs.executionDetails.status', without indices of items, so that there are no more names than the schema has. */
function nameOf(path: Path): string {
  return path.filter((key) => typeof key === 'string').join('.') || 'item';
}

/** Describes the first issue: 'transactionId: expected string'. Zod's own message may quote the value. */
function reasonOf([issue]: Issues): string {
  return `${nameOf(issue?.path ?? [])}: ${issue?.code === 'invalid_type' ? `expected ${issue.expected}` : issue?.code}`;
}
