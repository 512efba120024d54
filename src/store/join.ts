/** `never` if two of the objects share a name. */
type Distinct<Parts extends readonly object[], Names = never> = Parts extends readonly [
  infer First extends object,
  ...infer Rest extends readonly object[],
]
  ? Extract<keyof First, Names> extends never
    ? Distinct<Rest, Names | keyof First>
    : never
  : unknown;

type All<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? First & All<Rest>
  : unknown;

/** Joins several objects into one. The compiler rejects objects that share a name, since one would hide the other. */
export function join<Parts extends readonly object[]>(...parts: Parts & Distinct<Parts>): All<Parts> {
  return Object.assign({}, ...parts);
}
