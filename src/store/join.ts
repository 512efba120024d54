/** Never, where two of some objects have a name in common. */
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

/** One object of several, of which no two have a name in common: the compiler refuses those, since one would hide the other. */
export function join<Parts extends readonly object[]>(...parts: Parts & Distinct<Parts>): All<Parts> {
  return Object.assign({}, ...parts);
}
