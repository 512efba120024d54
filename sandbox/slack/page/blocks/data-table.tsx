import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { inOrder } from '../in-order.tsx';
import type { BlockOf } from './block-schema.ts';
import { nextOrder, type Order, sortRows } from './sort-rows.ts';
import { CellView } from './table.tsx';
import type { Cell } from './table-schema.ts';

type DataTableProps = Pick<BlockOf<'data_table'>, 'caption' | 'rows' | 'page_size' | 'row_header_column_index'>;

/** Shows a table under a caption, with rows sorted by column and in pages. Its first row is the heading. */
export function DataTable({ caption, rows: [head = [], ...rest], ...block }: DataTableProps): ReactNode {
  const [order, setOrder] = useState<Order | null>(null);
  const [turned, setPage] = useState(0);
  const size = block.page_size;
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
          <Heading cells={head} order={order} onSort={sort} />
        </thead>
        <tbody>
          {inOrder(shown, (row) => (
            <Row cells={row} headerColumn={block.row_header_column_index} />
          ))}
        </tbody>
      </table>
      {pages > 1 && <Pages page={page} pages={pages} onTurn={setPage} />}
    </div>
  );
}

interface HeadingProps {
  readonly cells: readonly Cell[];
  readonly order: Order | null;
  readonly onSort: (column: number) => void;
}

function Heading({ cells, order, onSort }: HeadingProps): ReactNode {
  return (
    <tr>
      {inOrder(cells, (cell, column) => {
        const direction = order?.column === column ? order.direction : undefined;
        return (
          <th scope="col" aria-sort={direction}>
            <Button className="sort" onPress={() => onSort(column)}>
              <CellView cell={cell} />
              <span aria-hidden="true">{direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓'}</span>
            </Button>
          </th>
        );
      })}
    </tr>
  );
}

function Row({ cells, headerColumn }: { readonly cells: readonly Cell[]; readonly headerColumn: number | undefined }) {
  return (
    <tr>
      {inOrder(cells, (cell, column) =>
        column === headerColumn ? (
          <th scope="row">
            <CellView cell={cell} />
          </th>
        ) : (
          <td className={cell.type === 'raw_number' ? 'number' : undefined}>
            <CellView cell={cell} />
          </td>
        ),
      )}
    </tr>
  );
}

interface PagesProps {
  readonly page: number;
  readonly pages: number;
  readonly onTurn: (page: number) => void;
}

function Pages({ page, pages, onTurn }: PagesProps): ReactNode {
  return (
    <div className="pages">
      <Button className="icon" aria-label="Previous page" isDisabled={page === 0} onPress={() => onTurn(page - 1)}>
        ‹
      </Button>
      <span className="quiet" role="status">
        Page {page + 1} of {pages}
      </span>
      <Button className="icon" aria-label="Next page" isDisabled={page + 1 === pages} onPress={() => onTurn(page + 1)}>
        ›
      </Button>
    </div>
  );
}
