import type {
  Button,
  DataTableBlock as PlainDataTable,
  RawNumberElement,
  RawTextElement,
  RichTextBlock,
  RichTextDate,
  RichTextElement,
} from '@slack/types';
import { unescaped } from '../../lib/input/slack-text.ts';
import { HEADER_TEXT } from './blocks.ts';
import { channelLink, cutMarkup, grouped, joined, type Markup, mention, mrkdwn, person, plain, token } from './text.ts';

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

const DATA_CELL_TEXT = 120;

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
  if (!('type' in content)) return richCell(content);
  return { type: 'action_cell', element: content, fallback: { type: 'raw_text', text: EMPTY_CELL } };
}

export const EMPTY_CELL = plain('', 1).text; // '–'

export const isButton = (cell: TableCell): cell is ActionCell => cell.type === 'action_cell';

export function tableLength({ rows }: DataTableBlock): number {
  return rows.flat().map(cellText).join('').length;
}

function richCell(markup: Markup): TableCell {
  const text = `${markup}`;
  if (!/<[!@#]/.test(text)) return cell(literal(text));
  const pieces = piecesOf(`${cutMarkup(markup, 3 * DATA_CELL_TEXT)}`);
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: pieces.map(elementOf) }] };
}

const piecesOf = (text: string) => text.split(/(<[^<>]*>)/).filter((piece) => piece !== '');

const TOKEN =
  /^<(?:@(?<user>\w+)|!subteam\^(?<group>\w+)|#(?<channel>\w+)|!date\^(?<seconds>\d+)\^(?<format>[^|]*)\|(?<fallback>[^>]*))>$/;

function elementOf(piece: string): RichTextElement {
  const { user, group, channel, seconds, format = '', fallback = '' } = TOKEN.exec(piece)?.groups ?? {};
  if (user !== undefined) return { type: 'user', user_id: user };
  if (group !== undefined) return { type: 'usergroup', usergroup_id: group };
  if (channel !== undefined) return { type: 'channel', channel_id: channel };
  if (seconds !== undefined) return { type: 'date', timestamp: Number(seconds), format, fallback };
  return { type: 'text', text: literal(piece) };
}

const literal = (text: string) => unescaped(text.replace(/[*`]/g, ''));

const LINK = /^<(https:[^|>]+)\|([^>]*)>$/;

export function shownText(markup: Markup): string {
  const pieces = piecesOf(`${markup}`).map((piece) =>
    piece.replace(LINK, (_, url: string, label: string) => `${label}: ${url}`),
  );
  return pieces.map(elementOf).map(textOf).join('');
}

export function cellText(cell: TableCell): string {
  if (isButton(cell)) return `${cell.element.text.text}${cell.fallback.text}`; // Slack counts both.
  return cell.type === 'rich_text' ? elementsOf(cell).map(textOf).join('') : cell.text;
}

/** In a message, times become their UTC fallbacks: as tokens, most rows wouldn't fit. */
export function cellMarkup(cell: TableCell, hasTimeZones: boolean): Markup {
  if (cell.type !== 'rich_text') return mrkdwn`${cellText(cell)}`;
  return joined(
    elementsOf(cell).map((element) => (hasTimeZones && element.type === 'date' ? dated(element) : markupOf(element))),
    '',
  );
}

const dated = ({ timestamp, format, fallback }: RichTextDate): Markup =>
  token(`<!date^${timestamp}^${format}|${fallback ?? ''}>`);

function elementsOf({ elements }: RichTextBlock) {
  return elements.flatMap((part) => (part.type === 'rich_text_section' ? part.elements : []));
}

function markupOf(element: RichTextElement) {
  if (element.type === 'user') return person(element.user_id);
  if (element.type === 'usergroup') return mention({ kind: 'user-group', id: element.usergroup_id });
  return element.type === 'channel' ? channelLink(element.channel_id) : mrkdwn`${textOf(element)}`;
}

function textOf(element: RichTextElement) {
  if ('text' in element) return element.text ?? '';
  if ('fallback' in element) return element.fallback ?? '';
  if ('usergroup_id' in element) return `@${element.usergroup_id}`;
  return 'user_id' in element ? `@${element.user_id}` : 'channel_id' in element ? `#${element.channel_id}` : '';
}
