import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks } from './payload.ts';

describe('checkBlocks', () => {
  it('never throws and never takes what is not a list of objects', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const problems = checkBlocks(value, 'message', '/blocks');
        const isListOfObjects =
          Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
        if (!isListOfObjects) expect(problems).not.toEqual([]);
      }),
    );
  });

  it('points at places that exist, or at the object that lacks something', () => {
    const type = fc.constantFrom('section', 'actions', 'context', 'input', 'rich_text', 'table', 'nothing');
    const block = fc.record({ type, text: fc.jsonValue(), elements: fc.jsonValue(), element: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        for (const { pointer } of checkBlocks(blocks, 'message', '')) expect(has(blocks, pointer)).toBe(true);
      }),
    );
  });
});

/** True when an RFC 6901 pointer names a place in the value; its last step may be one that should be there. */
function has(value: unknown, pointer: string): boolean {
  const steps = pointer.split('/').slice(1, -1);
  return steps.reduce<unknown>((at, step) => Object(at)[step], value) !== undefined;
}
