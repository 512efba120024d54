/** Where something is in a JSON value: the names of fields and the indices of items on the way to it. */
export type Path = readonly PropertyKey[];

/** What stands at a path; undefined where nothing does. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** A copy without what stands at some paths, none of them empty: fields are absent in it, and items make room. Only what changes is copied. */
export function without(value: unknown, paths: readonly Path[], depth = 0): unknown {
  const inside = new Map<PropertyKey, Path[]>();
  for (const path of paths) {
    const key = path[depth];
    if (key !== undefined) inside.set(key, [...(inside.get(key) ?? []), path]);
  }
  const goes = (key: PropertyKey) => inside.get(key)?.some((path) => path.length === depth + 1) ?? false;
  const kept = (key: PropertyKey, inner: unknown) => {
    const deeper = inside.get(key);
    return deeper === undefined ? inner : without(inner, deeper, depth + 1);
  };
  if (Array.isArray(value)) return value.flatMap((item, index) => (goes(index) ? [] : [kept(index, item)]));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => !goes(key));
  return Object.fromEntries(fields.map(([key, inner]) => [key, kept(key, inner)]));
}
