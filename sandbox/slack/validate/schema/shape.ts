/** A JSON Schema (draft 2020-12), as data. */
export type Schema = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Schema>>;

/** Refers to this name in the `$defs` of the schema document. */
export const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

export const boolean: Schema = { type: 'boolean' };
export const number: Schema = { type: 'number' };
/** At least one character. */
export const word: Schema = { type: 'string', minLength: 1 };
/** From 1 to `maxLength` characters, which JSON Schema counts as code points. */
export const text = (maxLength: number): Schema => ({ ...word, maxLength });
export const maybeEmpty = (maxLength: number): Schema => ({ type: 'string', maxLength });
/** From `minimum` to `maximum`, both included. */
export const integer = (minimum: number, maximum?: number): Schema =>
  maximum === undefined ? { type: 'integer', minimum } : { type: 'integer', minimum, maximum };
export const oneOf = (...values: readonly (string | number)[]): Schema => ({ enum: values });
/** A string of one of the FORMATS of the validator. */
export const formatted = (format: string): Schema => ({ type: 'string', format });

export const list = (items: Schema, limits: { minItems?: number; maxItems?: number } = {}): Schema => ({
  type: 'array',
  items,
  ...limits,
});

/** An object with the required fields, possibly some of the optional ones, and no others. `more` are rules about the whole object. */
export const object = (required: Fields, optional: Fields = {}, more: Schema = {}): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
  ...more,
});

/** Like `object`, for an object with a `type`. */
export const typed = (type: string, required: Fields = {}, optional: Fields = {}, more: Schema = {}): Schema =>
  object({ type: { const: type }, ...required }, optional, more);

/** The types that are allowed in a place, each with the name of its schema in `$defs`. */
export type Types = Readonly<Record<string, string>>;

/** Types whose schemas in `$defs` have the types' own names. */
export const named = (...types: readonly string[]): Types => Object.fromEntries(types.map((type) => [type, type]));

/** An object whose `type` selects its schema; a custom keyword (keywords.ts). */
export const byType = (types: Types): Schema => ({ type: 'object', byType: types });

/** The object has at least one of the fields; a custom keyword. */
export const someOf = (...fields: readonly string[]): Schema => ({ someOf: fields });
/** The object has exactly one of the fields; a custom keyword. */
export const onlyOneOf = (...fields: readonly string[]): Schema => ({ onlyOneOf: fields });
