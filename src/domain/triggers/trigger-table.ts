import { bare, visible } from '../fold.ts';
import type { JsonObject } from '../text/payload.ts';

/** A table's first line: the separator of its cells, and their names, the subscriber's first. */
export interface TableHeader {
  readonly separator: string;
  readonly names: readonly string[];
}

/** Counted from 1. */
interface Spot {
  readonly line: number;
  readonly column: number;
}

export interface TableRow {
  readonly spot: Spot;
  readonly subscriberId: string;
  /** The texts in the row's cells by the header's names; null if the header has only the subscriber's. */
  readonly content: JsonObject | null;
}

export interface TableMistake {
  readonly spot: Spot;
  readonly what: string;
}

export interface TableRead {
  readonly rows: readonly TableRow[];
  readonly mistakes: readonly TableMistake[];
}

const SUBSCRIBER = /^subscribers?(?:[ _-]?ids?)?$/i;

/** Returns the header at the start of a text; null if its first line does not begin with the word `subscriber`. */
export function tableHeader(text: string): TableHeader | null {
  const [first = ''] = visible(text)
    .trimStart()
    .split(/[\r\n]/, 1);
  const separator = ['\t', ','].find((each) => first.includes(each)) ?? ';';
  const names = recordsIn(first, separator)[0]?.map((cell) => cell.text) ?? [];
  return SUBSCRIBER.test(names[0] ?? '') ? { separator, names } : null;
}

/** Parses a table by RFC 4180 with any separator; the header may be repeated in it. */
export function parseTable(text: string, header: TableHeader): TableRead {
  const records = recordsIn(text, header.separator).filter((record) => record.some((cell) => cell.text !== ''));
  const spotOf = (cell: Cell | undefined) => spotAt(text, cell?.at ?? 0);
  const read = records.map((record) => readRecord(record, header, spotOf));
  return {
    rows: read.filter((one) => one !== null && 'subscriberId' in one),
    mistakes: read.filter((one) => one !== null && 'what' in one),
  };
}

function readRecord(
  record: readonly Cell[],
  { names }: TableHeader,
  spotOf: (cell: Cell | undefined) => Spot,
): TableRow | TableMistake | null {
  const [subscriber] = record;
  const wrong = (cell: Cell | undefined, what: string) => ({ spot: spotOf(cell), what });
  const broken = record.find((cell) => cell.isBroken);
  if (broken !== undefined) return wrong(broken, 'a quote is opened here and not closed at the end of the cell');
  const subscriberId = bare(subscriber?.text ?? '');
  if (SUBSCRIBER.test(subscriberId)) return wrongHeader(record.map(visibleCell), names, wrong);
  if (record.length !== names.length) {
    return wrong(
      subscriber,
      `a row has to have as many cells as the header, ${names.length}; this one has ${record.length}`,
    );
  }
  if (subscriberId === '') return wrong(subscriber, 'the subscriber’s ID is missing');
  return { spot: spotOf(subscriber), subscriberId, content: contentOf(record, names) };
}

function wrongHeader(
  record: readonly Cell[],
  names: readonly string[],
  wrong: (cell: Cell | undefined, what: string) => TableMistake,
): TableMistake | null {
  const unnamed = record.find((cell) => cell.text === '');
  if (unnamed !== undefined) return wrong(unnamed, 'a column of the header has no name');
  const again = record.find((cell, index) => record.findIndex(({ text }) => text === cell.text) < index);
  if (again !== undefined) return wrong(again, 'this name is in the header twice');
  const isTheSame = record.length === names.length && record.every((cell, index) => cell.text === names[index]);
  return isTheSame ? null : wrong(record[0], 'a second header, which is not like the first');
}

function contentOf(record: readonly Cell[], names: readonly string[]): JsonObject | null {
  if (names.length === 1) return null;
  const cells = record.map((cell, index) => [names[index] ?? '', cell.text] as const).slice(1);
  return Object.fromEntries(cells.filter(([, text]) => text !== ''));
}

function visibleCell(cell: Cell): Cell {
  return { ...cell, text: visible(cell.text) };
}

export interface Cell {
  readonly text: string;
  /** The offset of its first character. */
  readonly at: number;
  /** Whether it begins with a quote but does not end with one. */
  readonly isBroken: boolean;
}

/** Splits a text into its records by RFC 4180, with any separator. */
export function recordsIn(text: string, separator: string): Cell[][] {
  const cell = new RegExp(` *(?:"((?:[^"]|"")*)" *|([^${separator}\\r\\n]*))(${separator}|\\r\\n|[\\r\\n]|$)`, 'gy');
  const records: Cell[][] = [];
  let record: Cell[] = [];
  for (const match of text.matchAll(cell)) {
    const [, quoted, plain = '', end = ''] = match;
    const words = quoted?.replaceAll('""', '"') ?? plain.trim();
    record.push({ text: words, at: match.index, isBroken: quoted === undefined && words.startsWith('"') });
    if (end === separator) continue;
    records.push(record);
    record = [];
    if (end === '') break;
  }
  return records;
}

function spotAt(text: string, offset: number): Spot {
  const lines = text.slice(0, offset).split(/\r\n|[\r\n]/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
