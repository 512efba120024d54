import { describe, expect, it } from 'vitest';
import { nextOrder, sortRows } from './sort-rows.ts';
import type { Cell } from './table-schema.ts';

const text = (words: string): Cell => ({ type: 'raw_text', text: words });
const number = (value: number): Cell => ({ type: 'raw_number', value });
const rich = (words: string): Cell => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: words }] }],
});

describe('sorting a data table', () => {
  it('goes by size where there are numbers', () => {
    const rows = [[number(10)], [number(9)], [number(-1)]];
    expect(sortRows(rows, { column: 0, direction: 'ascending' })).toEqual([[number(-1)], [number(9)], [number(10)]]);
  });

  it('goes by words otherwise, counting the numbers in them', () => {
    const rows = [[text('step 10')], [rich('step 2')], [text('Step 1')]];
    const sorted = sortRows(rows, { column: 0, direction: 'descending' });
    expect(sorted).toEqual([[text('step 10')], [rich('step 2')], [text('Step 1')]]);
  });

  it('keeps rows that are alike in their order, and all of them without one', () => {
    const rows = [
      [text('a'), number(1)],
      [text('a'), number(2)],
    ];
    expect(sortRows(rows, { column: 0, direction: 'ascending' })).toEqual(rows);
    expect(sortRows(rows, null)).toBe(rows);
  });

  it('turns with each press: upwards, downwards, as it was', () => {
    const upwards = nextOrder(null, 1);
    const downwards = nextOrder(upwards, 1);
    expect([upwards, downwards, nextOrder(downwards, 1)]).toEqual([
      { column: 1, direction: 'ascending' },
      { column: 1, direction: 'descending' },
      null,
    ]);
    expect(nextOrder(downwards, 0)).toEqual({ column: 0, direction: 'ascending' });
  });
});
