import { describe, expect, test } from 'vitest';
import { nextOrder, sortRows } from './sort-rows.ts';
import type { Cell } from './table-schema.ts';

const text = (words: string): Cell => ({ type: 'raw_text', text: words });
const number = (value: number): Cell => ({ type: 'raw_number', value });
const rich = (words: string): Cell => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: words }] }],
});

describe('the rows of a data table', () => {
  test('are sorted by value if they are numbers', () => {
    const rows = [[number(10)], [number(9)], [number(-1)]];
    expect(sortRows(rows, { column: 0, direction: 'ascending' })).toEqual([[number(-1)], [number(9)], [number(10)]]);
  });

  test('are sorted by text otherwise, with numbers in the text by value', () => {
    const rows = [[text('step 10')], [rich('step 2')], [text('Step 1')]];
    const sorted = sortRows(rows, { column: 0, direction: 'descending' });
    expect(sorted).toEqual([[text('step 10')], [rich('step 2')], [text('Step 1')]]);
  });

  test('stay in order if they are equal, and if there is no order', () => {
    const rows = [
      [text('a'), number(1)],
      [text('a'), number(2)],
    ];
    expect(sortRows(rows, { column: 0, direction: 'ascending' })).toEqual(rows);
    expect(sortRows(rows, null)).toBe(rows);
  });

  test('are ordered in turn by each press: ascending, descending, unsorted', () => {
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
