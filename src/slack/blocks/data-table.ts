import type { DataTableBlock, RawNumberElement, RawTextElement, RichTextBlock } from '@slack/types';
import { DATA_CELL_TEXT, DATA_TABLE_TEXT, HEADER_TEXT, MOST_COLUMNS, MOST_ROWS } from './limits.ts';
import { cellText, richCell } from './rich-cell.ts';
import { grouped, type Markup, plain } from './text.ts';

/**
 * A text, which can come from outside; a number; a text that is sorted by a number; or markup, for times, people and channels.
 */
export type Cell = string | number | { readonly text: string; readonly sortBy: number } | Markup;

export interface TableContent {
  /** Says what the table lists, for screen readers too: `shown` rows fit. */
  readonly caption: (shown: number) => string;
  /** The headings, at most `MOST_COLUMNS`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows are shown at once. */
  readonly pageSize?: number;
}

export interface DataTable {
  /** The table. Empty without rows, because Slack refuses a table that has none. */
  readonly blocks: readonly DataTableBlock[];
  /** How many rows at the end didn't fit. */
  readonly leftOut: number;
}

/**
 * Builds a table that people page, sort and filter in Slack, with as many of the first rows as Slack accepts. A message can have one, not
 * inside of a container. In Slack's cells nothing is markup, so nothing is escaped.
 */
export function dataTable({ caption, columns, rows, pageSize = 10 }: TableContent): DataTable {
  const header = columns.slice(0, MOST_COLUMNS).map((column) => cell(column));
  const shown: DataTableBlock['rows'] = [header];
  let length = lengthOf(header);
  for (const row of rows.slice(0, MOST_ROWS)) {
    const cells = header.map((_, column) => cell(row[column] ?? ''));
    length += lengthOf(cells);
    if (length > DATA_TABLE_TEXT) break;
    shown.push(cells);
  }
  const count = shown.length - 1;
  const leftOut = rows.length - count;
  if (count === 0) return { blocks: [], leftOut };
  const table = { caption: plain(caption(count), HEADER_TEXT).text, page_size: pageSize };
  return { blocks: [{ type: 'data_table', ...table, rows: shown }], leftOut };
}

type RawCell = RawTextElement | RawNumberElement | RichTextBlock;

function cell(content: Cell): RawCell {
  if (typeof content === 'string') return { type: 'raw_text', text: plain(content, DATA_CELL_TEXT).text };
  if (typeof content === 'object' && !('sortBy' in content)) return richCell(content);
  const { text, sortBy } = typeof content === 'number' ? { text: grouped(content), sortBy: content } : content;
  return { type: 'raw_number', value: sortBy, text: plain(text, DATA_CELL_TEXT).text };
}

function lengthOf(cells: readonly RawCell[]): number {
  return cells.reduce((sum, one) => sum + cellText(one).length, 0);
}
