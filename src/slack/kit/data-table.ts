import type { DataTableBlock } from '@slack/types';
import { DATA_CELL_TEXT, HEADER_TEXT, MOST_COLUMNS } from './limits.ts';
import { cellText, richCell, type TableCell } from './rich-cell.ts';
import { grouped, type Markup, plain } from './text.ts';

/** Text can come from outside. Markup is for times, people and channels. */
export type Cell = string | number | { readonly text: string; readonly sortBy: number } | Markup;

export interface TableContent {
  /** For screen readers too. */
  readonly caption: string;
  /** At most `MOST_COLUMNS`. */
  readonly columns: readonly string[];
  /** At least one, because Slack refuses a table without rows, and at most `MOST_ROWS`. */
  readonly rows: readonly (readonly Cell[])[];
}

const PAGE_SIZE = 10;

/** A message can have one, not inside of a container. In Slack's cells nothing is markup, so nothing is escaped. */
export function dataTable({ caption, columns, rows }: TableContent): DataTableBlock {
  const header = columns.slice(0, MOST_COLUMNS);
  const cells = [header, ...rows].map((row) => header.map((_, column) => cell(row[column] ?? '')));
  return { type: 'data_table', caption: plain(caption, HEADER_TEXT).text, page_size: PAGE_SIZE, rows: cells };
}

function cell(content: Cell): TableCell {
  if (typeof content === 'string') return { type: 'raw_text', text: plain(content, DATA_CELL_TEXT).text };
  if (typeof content === 'object' && !('sortBy' in content)) return richCell(content);
  const { text, sortBy } = typeof content === 'number' ? { text: grouped(content), sortBy: content } : content;
  return { type: 'raw_number', value: sortBy, text: plain(text, DATA_CELL_TEXT).text };
}

export function tableLength({ rows }: DataTableBlock): number {
  return rows.flat().reduce((sum, cell) => sum + cellText(cell).length, 0);
}
