import type { JsonObject } from '../text/payload.ts';
import { isJsonObject, parseTyped } from './trigger-input.ts';
import { parseTable, type TableHeader, tableHeader } from './trigger-table.ts';

/** A row that somebody pasted: a subscriber and, where it has one, an object of its own. */
export interface Row {
  readonly place: Place;
  readonly subscriberId: string;
  readonly content: JsonObject | null;
}

/** Where something is in what was pasted: the field of the form, counted from 0; line and column, counted from 1. */
export interface Place {
  readonly part: number;
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a row, without quoting it: it may hold anything. `example` shows it right. */
export interface RowMistake {
  readonly place: Place;
  readonly what: string;
  readonly example: string;
}

export interface RowsRead {
  readonly rows: readonly Row[];
  readonly mistakes: readonly RowMistake[];
}

const LONGEST_ID = 255;
const BETWEEN = /[\s,;]+/;
const LINE_END = /\r\n|[\r\n]/;

const ROW_EXAMPLE = 'user-1 {"orderId": "A-17"}';
const TABLE_EXAMPLE = 'subscriber,orderId\nuser-1,A-17';

/**
 * Reads pasted rows, which may be spread over several fields of a form. A line holds a subscriber's id (or several, between commas
 * or blanks), or an id with a JSON object. Where the first line begins with `subscriber`, all is a table by RFC 4180 with that
 * header, its cells between tabs, commas or semicolons: each row gives the header's keys the texts in its cells, empty ones left out.
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

function readLine(line: string, start: Place): RowsRead {
  const object = line.indexOf('{');
  const ids = (object === -1 ? line : line.slice(0, object))
    .split(BETWEEN)
    .map(unquoted)
    .filter((id) => id !== '');
  if (object === -1) return { rows: ids.map((id) => rowOf(id, null, start)), mistakes: [] };
  const [subscriberId, another] = ids;
  if (subscriberId === undefined) return wrong(start, 'the subscriber’s id is missing before the payload', ROW_EXAMPLE);
  if (another !== undefined) return wrong(start, 'a payload goes with one subscriber', ROW_EXAMPLE);
  if (!/[\s,;"]/.test(line.charAt(object - 1))) {
    return wrong(
      { ...start, column: object + 1 },
      'put a blank between the subscriber’s id and its payload',
      ROW_EXAMPLE,
    );
  }
  return withObject(subscriberId, line, object, start);
}

/** The rest of a line is an object, as it is or as a cell of a spreadsheet: in quotes, its own quotes doubled. */
function withObject(subscriberId: string, line: string, at: number, start: Place): RowsRead {
  const isCell = line.charAt(at - 1) === '"';
  const rest = line.slice(at).trimEnd();
  const json = isCell ? rest.replace(/"$/, '').replaceAll('""', '"') : rest;
  const read = parseTyped(json);
  if (read.is === 'json' && isJsonObject(read.value)) {
    return { rows: [rowOf(subscriberId, read.value, start)], mistakes: [] };
  }
  const offset = isCell || read.is === 'json' ? 0 : read.at;
  return wrong({ ...start, column: at + 1 + offset }, NOT_JSON, ROW_EXAMPLE);
}

const NOT_JSON = 'from here on this is not JSON: a bracket, quote or comma is missing, or one too many';

/** A spreadsheet may put quotes around its cells. */
function unquoted(word: string): string {
  return word.replace(/^"|"$/g, '');
}

function rowOf(subscriberId: string, content: JsonObject | null, place: Place): Row {
  return { subscriberId, content, place };
}

function wrong(place: Place, what: string, example: string): RowsRead {
  return { rows: [], mistakes: [{ place, what, example }] };
}

function wrongId({ subscriberId, place }: Row): RowMistake[] {
  if (subscriberId.length <= LONGEST_ID) return [];
  return [{ place, what: `a subscriber’s id has at most ${LONGEST_ID} characters`, example: ROW_EXAMPLE }];
}

/** Lines that all have the same number of words, two or more, are a table whose header was left behind: not as many ids. */
function withoutHeader(parts: readonly string[]): RowMistake[] {
  const lines = parts.flatMap((part) => part.split(LINE_END)).filter((line) => line.trim() !== '');
  const widths = new Set(lines.map((line) => (line.includes('{') ? 1 : line.split(BETWEEN).filter(Boolean).length)));
  const [width = 0] = widths;
  if (lines.length < 2 || widths.size > 1 || width < 2) return [];
  const what = `each line has ${width} cells, and no header says what they are; ids alone stand one a line`;
  return [{ place: { part: 0, line: 1, column: 1 }, what, example: TABLE_EXAMPLE }];
}
