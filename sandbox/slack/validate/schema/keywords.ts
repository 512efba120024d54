import type { DataValidateFunction, FuncKeywordDefinition } from 'ajv/dist/types/index.js';
import type { Json } from '../../page-protocol.ts';
import type { Types } from './shape.ts';

/**
 * Keywords of the Block Kit schema beyond draft 2020-12. The draft would use `oneOf` and `anyOf`, which report all that each branch missed,
 * where Slack reports one problem.
 */
export const KEYWORDS: readonly FuncKeywordDefinition[] = [
  {
    ...aboutObjects('byType', 'object'),
    compile: (types: Types, _parent, compiling) =>
      reporting((object, context) => {
        if (object.type === undefined) return [{ keyword: 'required', params: { missingProperty: 'type' } }];
        const check = schemaOf(object.type, types, compiling);
        if (check === undefined) return [unsupportedType(types, context)];
        check(object, context);
        return check.errors ?? [];
      }),
  },
  {
    ...aboutObjects('someOf', 'array'),
    compile: (fields: readonly string[]) =>
      reporting((object) => (given(object, fields) > 0 ? [] : [{ keyword: 'someOf', params: { fields } }])),
  },
  {
    ...aboutObjects('onlyOneOf', 'array'),
    compile: (fields: readonly string[]) =>
      reporting((object) => (given(object, fields) === 1 ? [] : [{ keyword: 'onlyOneOf', params: { fields } }])),
  },
];

type Failures = NonNullable<DataValidateFunction['errors']>;
type Context = Parameters<DataValidateFunction>[1];
type Compiling = Parameters<NonNullable<FuncKeywordDefinition['compile']>>[2];

function aboutObjects(keyword: string, schemaType: 'object' | 'array') {
  return { keyword, schemaType, type: 'object', errors: true } as const;
}

/** Ajv reads a keyword's failures from the function itself. */
function reporting(failuresOf: (object: Json, context: Context) => Failures): DataValidateFunction {
  const validate: DataValidateFunction = (object: Json, context) => {
    validate.errors = failuresOf(object, context);
    return validate.errors.length === 0;
  };
  return validate;
}

/** Compiles a schema when its type is first used, because a bot uses only a few blocks of Block Kit. */
function schemaOf(type: unknown, types: Types, { self, baseId }: Compiling) {
  const name = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  return name === undefined ? undefined : self.getSchema(`${baseId}#/$defs/${name}`);
}

function unsupportedType(types: Types, context: Context): Failures[number] {
  const instancePath = `${context?.instancePath ?? ''}/type`;
  return { keyword: 'byType', instancePath, params: { allowedValues: Object.keys(types) } };
}

function given(object: Json, fields: readonly string[]): number {
  return fields.filter((field) => object[field] !== undefined).length;
}
