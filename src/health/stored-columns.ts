import type { z } from 'zod';

/** How a text can hold a subscriber's ID: as a whole, as a word of a sentence, or as a value of a filter like `subscriber:17`. */
export type Holds = 'nobody' | 'id' | 'sentence' | 'filters';
/** By field, or for all that a value has. */
export type HoldsBy = Holds | { readonly [field: string]: HoldsBy };

/** JSON that `Value` doesn't describe can't be read. `holds` is null where it has no texts. */
export interface StoredJson {
  readonly Value: z.ZodType;
  readonly holds: HoldsBy | null;
}
/** JSON of which another column says what it is, or it itself. */
export interface StoredVariants {
  readonly selector: string;
  readonly variantOf: (value: unknown) => StoredJson;
}
export type StoredColumn = Holds | StoredJson | StoredVariants;

type IsSome<Type> = [Type] extends [never] ? false : true;
/** The keys that any member of a union has. */
type KeysIn<Value> = Value extends Value ? keyof Value : never;
/** What the members of a union have at a key. */
type In<Value, Key> = Value extends Value ? (Key extends keyof Value ? Value[Key] : never) : never;
/** `never` for an object without fields. */
type Filled<Fields> = [keyof Fields] extends [never] ? never : Fields;
/** `string`, and `never` for certain words like 'email' | 'sms': an empty object lacks the fields of a Record of these. */
type FreeText<Value> = Value extends string ? (Record<never, never> extends Record<Value, 1> ? Value : never) : never;
/** What a list holds. */
type Items<Value> = Value extends readonly (infer Item)[] ? Item : never;
/** Objects with fields, which lists, times and maps aren't. */
type Objects<Value> = Exclude<Extract<Value, object>, readonly unknown[] | Date | ReadonlyMap<number, unknown>>;

/** What has to be said of a value's texts: `{ name: Holds; tags: Holds }` of `{ name: string; at: Date; tags: string[] }`. */
type Texts<Value> =
  IsSome<FreeText<Value>> extends true
    ? Holds
    : IsSome<Items<Value>> extends true
      ? Texts<Items<Value>>
      : IsSome<Objects<Value>> extends true
        ? TextFields<Objects<Value>>
        : never;
type TextFields<Value> = Filled<{
  readonly [Key in KeysIn<Value> as IsSome<Texts<In<Value, Key>>> extends true ? Key : never]: Texts<In<Value, Key>>;
}>;

/** What has to be said of a column: how its text, or its list's, can hold an ID, or what its JSON is. `never`: nothing. */
type Column<Value> =
  IsSome<FreeText<Value>> extends true
    ? Holds
    : IsSome<FreeText<Items<Value>>> extends true
      ? Holds | StoredJson
      : IsSome<Exclude<Value, string | number | boolean | Date | readonly string[] | null>> extends true
        ? StoredJson | StoredVariants
        : never;
export type Columns<Row> = {
  readonly [Name in keyof Row as IsSome<Column<Row[Name]>> extends true ? Name : never]: Column<Row[Name]>;
};

export function json<Value>(
  Value: z.ZodType<Value>,
  ...[holds]: [Texts<Value>] extends [never] ? [] : [Texts<Value> & HoldsBy]
): StoredJson {
  return { Value, holds: holds ?? null };
}

export const nobody = <const Name extends string>(...names: readonly Name[]): Record<Name, 'nobody'> =>
  Object.fromEntries(names.map((name) => [name, 'nobody'])) as Record<Name, 'nobody'>;
