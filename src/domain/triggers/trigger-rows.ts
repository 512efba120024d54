import { bare, visible } from '../fold.ts';
import type { JsonObject } from '../text/payload.ts';
import { isJsonObject, type JsonMistake, parseTyped } from './trigger-input.ts';
import { parseTable, type TableHeader, tableHeader } from './trigger-table.ts';

/** A pasted row: a subscriber and, if it has one, its own object. */
export interface Row {
  readonly place: PastePosition;
  readonly subscriberId: string;
  readonly content: JsonObject | null;
}

/** A position in what was pasted: the field of the form, counted from 0; line and column, counted from 1. */
export interface PastePosition {
  readonly part: number;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a row, without quoting it, since it may contain anything. `example` shows a correct one. */
export interface RowMistake {
  readonly place: PastePosition;
  readonly what: string;
  readonly example: string;
}

export interface RowsRead {
  readonly rows: readonly Row[];
  readonly mistakes: readonly RowMistake[];
}

const LONGEST_ID = 255;
const BETWEEN = /[\s,;]+/;
/** The bullet or the number of a line in a pasted list. */
const BULLET = /^\s*(?:[-*•‣◦–—·]|\d{1,3}[.)])\s+(?=[^\s{])/;
const LINE_END = /\r\n|[\r\n]/;

const ROW_EXAMPLE = 'user-1 {"orderId": "A-17"}';
const TABLE_EXAMPLE = 'subscriber,orderId\nuser-1,A-17';

/**
 * Parses pasted rows, which may be spread over several fields of a form. A line has a subscriber's ID (or several, separated by commas or
 * spaces), or an ID with a JSON object. If the first line begins with `subscriber`, everything is a table by RFC 4180 with that header, its
 * cells separated by tabs, commas or semicolons: each row has the texts in its cells under the header's keys, without empty ones. Omits the
 * bullets of a list, and what pages and phones add to an ID; see `bare`.
 */
export function parseRows(parts: readonly string[]): RowsRead {
  const header = tableHeader(parts.find((part) => part.trim() !== '') ?? '');
  const read = parts.map((text, part) => (header === null ? readLines(text, part) : rowsOfTable(text, part, header)));
  const rows = read.flatMap((one) => one.rows);
  const mistakes = [...read.flatMap((one) => one.mistakes), ...rows.flatMap(wrongId)];
  return { rows, mistakes: header === null && mistakes.length === 0 ? withoutHeader(parts) : mistakes };
}

function rowsOfTable(text: string, part: number, header: TableHeader): RowsRead {
  const { rows, mistakes } = parseTable(text, header);
  return {
    rows: rows.map(({ spot, ...row }) => ({ ...row, place: { part, ...spot } })),
    mistakes: mistakes.map(({ spot, what }) => ({ what, place: { part, ...spot }, example: TABLE_EXAMPLE })),
  };
}

function readLines(text: string, part: number): RowsRead {
  const read = text.split(LINE_END).map((line, index) => readLine(line, { part, line: index + 1, column: 1 }));
  return { rows: read.flatMap((one) => one.rows), mistakes: read.flatMap((one) => one.mistakes) };
}

function readLine(line: string, start: PastePosition): RowsRead {
  const object = line.indexOf('{');
  const before = visible(object === -1 ? line : line.slice(0, object));
  const ids = idsIn(before);
  if (object === -1) return { rows: ids.map((id) => rowOf(id, null, start)), mistakes: [] };
  const [subscriberId, another] = ids;
  if (subscriberId === undefined) return wrong(start, 'the subscriber’s ID is missing before the payload', ROW_EXAMPLE);
  if (another !== undefined) return wrong(start, 'a payload goes with one subscriber', ROW_EXAMPLE);
  if (!/[\s,;"]$/.test(before)) {
    return wrong(
      { ...start, column: object + 1 },
      'put a space between the subscriber’s ID and its payload',
      ROW_EXAMPLE,
    );
  }
  return withObject(subscriberId, line, object, start);
}

/** The rest of the line is an object, plain or as a spreadsheet cell: in quotes, with its own quotes doubled. */
function withObject(subscriberId: string, line: string, at: number, start: PastePosition): RowsRead {
  const isCell = line.charAt(at - 1) === '"';
  const rest = line.slice(at).trimEnd();
  const json = isCell ? rest.replace(/"$/, '').replaceAll('""', '"') : rest;
  const read = parseTyped(json);
  if (read.is === 'json' && isJsonObject(read.value)) {
    return { rows: [rowOf(subscriberId, read.value, start)], mistakes: [] };
  }
  const offset = isCell || read.is === 'json' ? 0 : read.at;
  const mistake = read.is === 'json' ? 'wrong' : read.is;
  return wrong({ ...start, column: at + 1 + offset }, MISTAKES[mistake], ROW_EXAMPLE);
}

const MISTAKES: Readonly<Record<JsonMistake, string>> = {
  wrong: "this isn't JSON from here: a bracket, quote or comma is missing, or one too many",
  rounded: 'this number would be rounded or lost; put it in quotes to send it as a text',
  repeated: 'this name appears twice; the first value would be lost',
};

function idsIn(text: string): string[] {
  return text
    .replace(BULLET, '')
    .split(BETWEEN)
    .map(bare)
    .filter((id) => id !== '');
}

function rowOf(subscriberId: string, content: JsonObject | null, place: PastePosition): Row {
  return { subscriberId, content, place };
}

function wrong(place: PastePosition, what: string, example: string): RowsRead {
  return { rows: [], mistakes: [{ place, what, example }] };
}

function wrongId({ subscriberId, place }: Row): RowMistake[] {
  if (subscriberId.length <= LONGEST_ID) return [];
  return [{ place, what: `a subscriber’s ID has at most ${LONGEST_ID} characters`, example: ROW_EXAMPLE }];
}

/** Recognizes a table that was pasted without its header: all lines have the same number of words, two or more. Those aren't IDs. */
function withoutHeader(parts: readonly string[]): RowMistake[] {
  const lines = parts.flatMap((part) => part.split(LINE_END)).filter((line) => visible(line).trim() !== '');
  const widths = new Set(lines.map((line) => (line.includes('{') ? 1 : idsIn(visible(line)).length)));
  const [width = 0] = widths;
  if (lines.length < 2 || widths.size > 1 || width < 2) return [];
  const what = `each line has ${width} cells, and no header says what they are; IDs on their own go one per line`;
  return [{ place: { part: 0, line: 1, column: 1 }, what, example: TABLE_EXAMPLE }];
}
