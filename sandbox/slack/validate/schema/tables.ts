import { identified } from './basic-blocks.ts';
import {
  boolean,
  byType,
  type Fields,
  integer,
  list,
  named,
  number,
  object,
  oneOf,
  ref,
  text,
  typed,
  word,
} from './shape.ts';

const rawCells: Fields = {
  raw_text: typed('raw_text', { text: text(3_000) }),
  raw_number: typed('raw_number', { value: number, text: text(3_000) }),
};

/** null leaves a column unchanged. */
const columnSetting = {
  ...object({}, { align: oneOf('left', 'center', 'right'), is_wrapped: boolean }),
  nullable: true,
};

const row = list(ref('cell'), { minItems: 1, maxItems: 20 });

export const tables: Fields = {
  ...rawCells,
  cell: byType(named('rich_text', ...Object.keys(rawCells))),
  table: typed(
    'table',
    { rows: list(row, { minItems: 1, maxItems: 100 }) },
    { ...identified, column_settings: list(columnSetting, { maxItems: 20 }) },
  ),
  /** The header and up to 100 rows, as Slack's page says; one SDK allows 201. */
  data_table: typed(
    'data_table',
    { caption: word, rows: list(row, { minItems: 2, maxItems: 101 }) },
    { ...identified, page_size: integer(1, 100), row_header_column_index: integer(0, 19) },
  ),
};
