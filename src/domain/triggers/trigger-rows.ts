import { bare, visible } from '../fold.ts';
import { MASK } from '../text/mask.ts';
import type { JsonObject } from '../text/payload.ts';
import { isObject } from '../text/same-json.ts';
import { type JsonMistake, parseTyped } from './trigger-input.ts';
import { parseTable, recordsIn, type TableHeader, tableHeader } from './trigger-table.ts';

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
/** The brackets around a list of IDs that was copied from code, if nothing else in it has any. */
const LIST = /^(\s*)\[([^[\]{}]*)\](\s*)$/;

const ROW_EXAMPLE = 'user-1 {"orderId": "A-17"}';
const TABLE_EXAMPLE = 'subscriber,orderId\nuser-1,A-17';

/**
 * Parses pasted rows, which may be spread over several fields of a form. A line has a subscriber's ID (or several, separated by commas or
 * spaces), or an ID with a JSON object. If the first line begins with `subscriber`, everything is a table by RFC 4180 with that header, its
 * cells separated by tabs, commas or semicolons: each row has the texts in its cells under the header's keys, without empty ones. Omits the
 * bullets of a list, the brackets of one in code, and what pages and phones add to an ID; see `bare`.
 */
export function parseRows(pasted: readonly string[]): RowsRead {
  // Blanks in their place keep the positions of mistakes.
  const parts = pasted.map((text) => text.replace(LIST, '$1 $2 $3'));
  const header = tableHeader(parts.find((part) => part.trim() !== '') ?? '');
  const read = parts.map((text, part) => (header === null ? readLines(text, part) : rowsOfTable(text, part, header)));
  const rows = read.flatMap((one) => one.rows);
  const mistakes = [...read.flatMap((one) => one.mistakes), ...rows.flatMap(wrongId)];
  return { rows, mistakes: header === null && mistakes.length === 0 ? unnamedCells(parts) : mistakes };
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
  if (read.is === 'json' && isObject(read.value)) {
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
  const what = wrongIn(subscriberId);
  return what === null ? [] : [{ place, what, example: ROW_EXAMPLE }];
}

/** The service would make a new subscriber of an ID that it doesn't know. */
const MASKED = `this ID has ${MASK} in it, as masked ones do; give the whole one. Notif can’t tell a real one with ${MASK} from those, and sends to neither`;

function wrongIn(subscriberId: string): string | null {
  if (subscriberId.includes(MASK)) return MASKED;
  return subscriberId.length > LONGEST_ID ? `a subscriber’s ID has at most ${LONGEST_ID} characters` : null;
}

/** A pasted line up to its payload, without what isn't seen and its bullet. */
interface IdLine {
  readonly place: PastePosition;
  readonly text: string;
  readonly hasPayload: boolean;
}

function idLines(text: string, part: number): IdLine[] {
  const lines = text.split(LINE_END).map((line, index) => {
    const [before = '', ...payload] = visible(line).split(/"?\{/);
    return {
      place: { part, line: index + 1, column: 1 },
      text: before.replace(BULLET, ''),
      hasPayload: payload.length > 0,
    };
  });
  return lines.filter((line) => line.text.trim() !== '');
}

/** How other systems call a column of IDs. */
const ID_COLUMN = /(?:^|[._-])[iI][dD][sS]?$|[a-z]I[dD]s?$/;

/** Two cells as spreadsheets and terminals separate them, which nobody types between IDs. */
const CELLS = /\S\s*(?:\t|\s\|\s)\s*\S/;

/** Recognizes a table without a header, or whose header doesn't begin with `subscriber`: the words in its cells aren't all IDs. */
function unnamedCells(parts: readonly string[]): RowMistake[] {
  const [first, ...others] = parts.flatMap(idLines);
  if (first === undefined) return [];
  const mistake = ({ place }: IdLine, what: string) => [{ place, what, example: TABLE_EXAMPLE }];
  const without = (cells: number) =>
    `this line has ${cells} cells, and no header says what they are; IDs on their own go one per line`;
  if (namesColumns(first) && others.length > 0 && !others.some(namesColumns)) {
    return mistake(first, 'this looks like a header; the first column of a table is called “subscriber”');
  }
  const inCells = [first, ...others].find(({ text }) => CELLS.test(text));
  if (inCells !== undefined) {
    return mistake(inCells, without(inCells.text.split(/\t|\s\|\s/).filter((cell) => cell.trim() !== '').length));
  }
  const width = others.length === 0 ? null : commonWidth([first, ...others].map(({ text }) => text));
  return width === null ? [] : mistake(first, without(width));
}

function namesColumns({ text, hasPayload }: IdLine): boolean {
  return !hasPayload && idsIn(text).some((id) => ID_COLUMN.test(id));
}

/** Returns how many words or cells all lines have, empty cells included; null if it isn't the same number, or none has two that aren't empty. */
function commonWidth(lines: readonly string[]): number | null {
  const byWords = lines.map((line) => idsIn(line));
  const byCells = [',', ';'].map((separator) =>
    recordsIn(lines.join('\n'), separator).map((record) => record.map(({ text }) => text)),
  );
  const table = [byWords, ...byCells].find((rows) => {
    const hasCells = rows.some((row) => row.filter((cell) => cell !== '').length > 1);
    return hasCells && new Set(rows.map((row) => row.length)).size === 1;
  });
  return table?.[0]?.length ?? null;
}
