/** A path to something in a JSON value: names of fields and indices of items. */
export type Path = readonly PropertyKey[];

/** Returns the value at a path. Undefined if there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** Returns a copy without the values at some paths, none empty: fields are absent in it, items removed. Only changed parts are copied. */
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
