import { textsIn } from '../../block-kit/controls.ts';
import { lengthOf } from '../length.ts';
import { problem } from '../problem.ts';
import { ofType, type Placed, placedIn } from './placed.ts';
import type { Rule } from './rule.ts';

const MOST_CELL_TEXT = 10_000;

/** All rows of a data table are as long as its header. */
export const evenRows: Rule = ({ blocks }) =>
  ofType(blocks, 'data_table').flatMap((table) => {
    const [header, ...rows] = rowsOf(table);
    if (header === undefined) return [];
    const wanted = header.cells.length;
    const uneven = rows.filter(({ cells }) => cells.length !== wanted);
    return uneven.map(({ cells, at }) =>
      problem(at, 'uneven_row', 'rows must have equal length', { expected: [wanted], got: cells.length }),
    );
  });

/** The header of a data table has no rich text. */
export const plainHeaders: Rule = ({ blocks }) =>
  ofType(blocks, 'data_table').flatMap((table) =>
    rowsOf(table)
      .slice(0, 1)
      .flatMap(({ cells, at }) => ofType(placedIn(cells, at), 'rich_text'))
      .map(({ at }) => {
        const constraint = { expected: ['raw_text', 'raw_number'], got: 'rich_text' };
        return problem(`${at}/type`, 'unsupported_type', 'unsupported type: rich_text', constraint);
      }),
  );

/** The column of row headers exists in the table. */
export const rowHeaderColumns: Rule = ({ blocks }) =>
  ofType(blocks, 'data_table').flatMap((table) => {
    const { row_header_column_index: index } = table.object;
    const columns = rowsOf(table)[0]?.cells.length;
    if (typeof index !== 'number' || columns === undefined || index < columns) return [];
    const constraint = { expected: [`< ${columns}`], got: index };
    const message = 'must be less than the number of columns';
    return [problem(`${table.at}/row_header_column_index`, 'out_of_range', message, constraint)];
  });

/** The limit of the cells of all data tables in a message together. */
export const cellTextTogether: Rule = ({ blocks, at }) => {
  const total = ofType(blocks, 'data_table').reduce((sum, table) => sum + textLength(table), 0);
  if (total <= MOST_CELL_TEXT) return [];
  const message = `the cells must be less than ${MOST_CELL_TEXT + 1} characters in total`;
  return [problem(at, 'too_long', message, { expected: [`<= ${MOST_CELL_TEXT}`], got: total })];
};

interface Row {
  readonly cells: readonly unknown[];
  readonly at: string;
}

function rowsOf({ object: { rows }, at }: Placed): readonly Row[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((cells, index) => (Array.isArray(cells) ? [{ cells, at: `${at}/rows/${index}` }] : []));
}

function textLength({ object }: Placed): number {
  return textsIn(object.rows).reduce((sum, text) => sum + lengthOf(text), 0);
}
