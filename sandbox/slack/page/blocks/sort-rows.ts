import type { RichTextLeaf } from './rich-text-schema.ts';
import type { Cell } from './table-schema.ts';

/** The column by which a table is sorted, and the direction. */
export interface Order {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** Returns the order after a press on a column's heading: ascending, descending, then as the bot sent it (null). */
export function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

/** Sorts the rows: numbers by value, everything else by text. Equal rows keep their order. */
export function sortRows(rows: readonly (readonly Cell[])[], order: Order | null): readonly (readonly Cell[])[] {
  if (order === null) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((one, other) => sign * compareCells(one[order.column], other[order.column]));
}

function compareCells(one: Cell | undefined, other: Cell | undefined): number {
  if (one?.type === 'raw_number' && other?.type === 'raw_number') return one.value - other.value;
  return wordsOf(one).localeCompare(wordsOf(other), 'en', { numeric: true });
}

function wordsOf(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  if (cell.type === 'raw_text') return cell.text;
  if (cell.type === 'raw_number') return String(cell.value);
  return cell.elements
    .flatMap(({ elements }) => elements.flatMap(leavesOf))
    .map(wordsOfLeaf)
    .join('');
}

function leavesOf(part: RichTextLeaf | { readonly elements: readonly RichTextLeaf[] }): readonly RichTextLeaf[] {
  return 'elements' in part ? part.elements : [part];
}

function wordsOfLeaf(leaf: RichTextLeaf): string {
  return 'text' in leaf ? (leaf.text ?? '') : '';
}
