import type {
  Button,
  DataTableBlock as PlainDataTable,
  RawNumberElement,
  RawTextElement,
  RichTextBlock,
  RichTextElement,
} from '@slack/types';
import { HEADER_TEXT } from './blocks.ts';
import { literal, markupOf, richTextOf, textOf } from './rich-text.ts';
import { cutMarkup, grouped, joined, type Markup, mrkdwn, plain } from './text.ts';

/** Older clients show `fallback`. */
export interface ActionCell {
  type: 'action_cell';
  element: Button;
  fallback: RawTextElement;
}

export type TableCell = RawTextElement | RawNumberElement | RichTextBlock | ActionCell;

export interface DataTableBlock extends Omit<PlainDataTable, 'rows'> {
  rows: TableCell[][];
}

export type Cell = string | number | { text: string; sortBy: number } | Button | Markup;

interface TableContent {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
}

/** Of a cell, in characters: Slack limits the whole table's, so long ones would leave room for few rows. */
const DATA_CELL_TEXT = 120;
export const EMPTY_CELL = plain('', 1).text; // '–'

/** Slack accepts one table a message. Cells aren't mrkdwn, so nothing is escaped. */
export function dataTable({ caption, columns, rows }: TableContent): DataTableBlock {
  const cells = [columns, ...rows].map((row) => row.map(cell));
  return { type: 'data_table', caption: plain(caption, HEADER_TEXT).text, page_size: 10, rows: cells };
}

function cell(content: Cell): TableCell {
  if (typeof content === 'string') return { type: 'raw_text', text: plain(content, DATA_CELL_TEXT).text };
  if (typeof content === 'number') return { type: 'raw_number', value: content, text: grouped(content) };
  if ('sortBy' in content)
    return { type: 'raw_number', value: content.sortBy, text: plain(content.text, DATA_CELL_TEXT).text };
  if (!('type' in content)) return markupCell(content);
  return { type: 'action_cell', element: content, fallback: { type: 'raw_text', text: EMPTY_CELL } };
}

function markupCell(markup: Markup): TableCell {
  const hasTokens = /<[!@#]/.test(`${markup}`);
  if (!hasTokens) return cell(literal(`${markup}`));
  // Tokens are longer than what is shown of them.
  const elements = richTextOf(cutMarkup(markup, 3 * DATA_CELL_TEXT));
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

export const isButton = (cell: TableCell): cell is ActionCell => cell.type === 'action_cell';

/** Of all cells, in characters, as Slack counts them. */
export function tableLength({ rows }: DataTableBlock): number {
  return rows.flat().map(cellText).join('').length;
}

export function cellText(cell: TableCell): string {
  if (isButton(cell)) return `${cell.element.text.text}${cell.fallback.text}`; // Slack counts both.
  return cell.type === 'rich_text' ? elementsOf(cell).map(textOf).join('') : cell.text;
}

export function cellMarkup(cell: TableCell, hasTimeZones: boolean): Markup {
  if (cell.type !== 'rich_text') return mrkdwn`${cellText(cell)}`;
  const pieces = elementsOf(cell).map((element) => markupOf(element, hasTimeZones));
  return joined(pieces, '');
}

function elementsOf({ elements }: RichTextBlock): readonly RichTextElement[] {
  return elements.flatMap((part) => (part.type === 'rich_text_section' ? part.elements : []));
}
