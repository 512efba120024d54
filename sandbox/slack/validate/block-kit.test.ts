import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlockKit } from './block-kit.ts';
import { valueAt } from './pointer.ts';
import { home, modal, smallestBlocks } from './sample-blocks.testing.ts';
import { BLOCK_KIT } from './schema/block-kit-schema.ts';
import { FORMATS } from './schema/formats.ts';
import { KEYWORDS } from './schema/keywords.ts';

const blockKit = new BlockKit();

/** Blocks that are almost valid: known fields of known types, with any contents. */
const FIELDS = ['text', 'elements', 'element', 'accessory', 'rows', 'chart', 'child_blocks', 'tasks', 'options'];
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom({ toString: 1, valueOf: null }, [[]]));
const part = fc.record({
  type: fc.constantFrom(
    'button',
    'static_select',
    'number_input',
    'raw_text',
    'plain_text',
    'line',
    'rich_text_list',
    7,
  ),
  ...Object.fromEntries(
    ['text', 'options', 'min_value', 'max_value', 'data', 'action_id'].map((name) => [name, anything]),
  ),
});
const block = fc.record(
  {
    type: fc.constantFrom<unknown>(...smallestBlocks.map(({ type }) => type), 'file', null),
    ...Object.fromEntries(
      FIELDS.map((field) => [field, fc.oneof(anything, part, fc.array(part), fc.array(fc.array(part)))]),
    ),
  },
  { requiredKeys: ['type'] },
);

describe('BlockKit', () => {
  test('never throws, and accepts only lists of objects for blocks', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const isListOfObjects =
          Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
        if (!isListOfObjects) expect(blockKit.blocks(value, '/blocks')).not.toEqual([]);
        blockKit.message({ blocks: value, attachments: value }, '');
        expect(blockKit.view(value, 'any', '')).not.toEqual([]);
      }),
    );
  });

  test('points at places that exist, or at a missing field in one', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 3 }), (blocks) => {
        const view = { ...modal({ blocks }), submit: undefined };
        for (const { pointer } of blockKit.blocks(blocks, '')) expect(has(blocks, pointer)).toBe(true);
        for (const { pointer } of blockKit.view(view, 'modal', '')) expect(has(view, pointer)).toBe(true);
      }),
    );
  });

  test('reports one problem for each wrong block', () => {
    const wrong = [
      { type: 'nothing' },
      { type: 'actions', elements: [{ type: 'button' }] },
      { type: 'section', text: 1 },
    ];
    expect(blockKit.blocks(wrong, '').map(({ message, pointer }) => [pointer, message])).toEqual([
      ['/0/type', 'unsupported type: nothing'],
      ['/1/elements/0', 'missing required field: text'],
      ['/2/text', 'must provide an object'],
    ]);
  });

  test('validates a view as one type or as any', () => {
    expect(blockKit.view(home({}), 'home', '')).toEqual([]);
    expect(blockKit.view(modal({}), 'any', '')).toEqual([]);
    expect(blockKit.view(home({}), 'modal', '/view')).toMatchObject([
      { message: 'unsupported type: home', pointer: '/view/type', constraint: { expected: ['modal'], got: 'home' } },
    ]);
  });

  test('has a schema that its draft allows and that compiles completely', () => {
    const ajv = new Ajv2020({ strictTypes: false, formats: FORMATS, keywords: [...KEYWORDS] }).addSchema(BLOCK_KIT);
    for (const name of Object.keys(Object(BLOCK_KIT.$defs))) {
      expect(ajv.getSchema(`block-kit#/$defs/${name}`), name).toBeDefined();
    }
  });

  test('names only existing schemas', () => {
    const names = new Set(Object.keys(Object(BLOCK_KIT.$defs)));
    expect(typesIn(BLOCK_KIT).filter((name) => !names.has(name))).toEqual([]);
  });
});

/** Returns true if the pointer names a place in the value. Its last step can be a missing field. */
function has(value: unknown, pointer: string): boolean {
  return valueAt(value, pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))) !== undefined;
}

/** Returns the names in `byType` anywhere in a schema. */
function typesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === 'byType' ? Object.values<string>(value) : typesIn(value),
  );
}
