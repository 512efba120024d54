import { type ReactNode, useState } from 'react';
import { inOrder, RichText } from '../text/text.tsx';
import type { BlockOf, Cell, RichTextLeaf } from './schema.ts';

type DataTableProps = Pick<BlockOf<'data_table'>, 'caption' | 'rows' | 'page_size'>;

interface Order {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** Shows a table under a caption, with rows sorted by column and in pages. Its first row is the heading. */
export function DataTable({ caption, rows: [head = [], ...rest], page_size: size }: DataTableProps): ReactNode {
  const [order, setOrder] = useState<Order | null>(null);
  const [turned, setPage] = useState(0);
  const pages = Math.max(Math.ceil(rest.length / size), 1);
  // An update from the bot can have fewer rows.
  const page = Math.min(turned, pages - 1);
  const shown = sortRows(rest, order).slice(page * size, (page + 1) * size);
  const sort = (column: number) => {
    setOrder(nextOrder(order, column));
    setPage(0);
  };
  return (
    <div className="table">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {inOrder(head, (cell, column) => {
              const direction = order?.column === column ? order.direction : undefined;
              return (
                <th scope="col" aria-sort={direction}>
                  <button type="button" className="sort" onClick={() => sort(column)}>
                    <CellView cell={cell} />
                    <span aria-hidden="true">
                      {direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓'}
                    </span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {inOrder(shown, (row) => (
            <tr>
              {inOrder(row, (cell) => (
                <td className={cell.type === 'raw_number' ? 'number' : undefined}>
                  <CellView cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 && <Pages page={page} pages={pages} onTurn={setPage} />}
    </div>
  );
}

function CellView({ cell }: { readonly cell: Cell }): ReactNode {
  return cell.type === 'rich_text' ? <RichText elements={cell.elements} /> : cell.text;
}

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

function Pages({ page, pages, onTurn }: PagesProps): ReactNode {
  const turn = (by: number, label: string, face: string) => (
    <button
      type="button"
      className="icon"
      aria-label={label}
      disabled={page + by < 0 || page + by === pages}
      onClick={() => onTurn(page + by)}
    >
      {face}
    </button>
  );
  return (
    <div className="pages">
      {turn(-1, 'Previous page', '‹')}
      <span className="quiet" role="status">
        Page {page + 1} of {pages}
      </span>
      {turn(1, 'Next page', '›')}
    </div>
  );
}

/** Returns the order after a press on a column's heading: ascending, descending, then as the bot sent it (null). */
function nextOrder(order: Order | null, column: number): Order | null {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : null;
}

/** Sorts the rows: numbers by value, everything else by text. Equal rows keep their order. */
function sortRows(rows: readonly (readonly Cell[])[], order: Order | null): readonly (readonly Cell[])[] {
  if (order === null) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => sign * compareCells(one[order.column], other[order.column]));
}

function compareCells(one: Cell | undefined, other: Cell | undefined): number {
  if (one?.type === 'raw_number' && other?.type === 'raw_number') return one.value - other.value;
  return wordsOf(one).localeCompare(wordsOf(other), 'en', { numeric: true });
}

function wordsOf(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  if (cell.type !== 'rich_text') return cell.text;
  const leaves: readonly RichTextLeaf[] = cell.elements.flatMap(({ elements }) => elements);
  return leaves.map((leaf) => ('text' in leaf ? (leaf.text ?? '') : '')).join('');
}
