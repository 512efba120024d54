import type { Button, KnownBlock } from '@slack/types';
import { type ReactNode, useState } from 'react';
import { ElementView } from './elements.tsx';
import { inOrder, RichText } from './text/text.tsx';

type DataTableBlock = Extract<KnownBlock, { type: 'data_table' }>;
/** `@slack/types` lacks cells with a button. */
type Cell = DataTableBlock['rows'][number][number] | { type: 'action_cell'; element: Button };

/** Slack's, for a table without `page_size`. */
const DEFAULT_PAGE_SIZE = 5;

export function DataTable({ block }: { block: DataTableBlock }): ReactNode {
  const [wantedPage, setWantedPage] = useState(0);
  const { caption, block_id: blockId = '', page_size: size = DEFAULT_PAGE_SIZE } = block;
  const [head = [], ...rest] = block.rows;
  const pages = Math.max(Math.ceil(rest.length / size), 1);
  // An edit can have left fewer rows than the page that was turned to.
  const page = Math.min(wantedPage, pages - 1);
  return (
    <div className="table">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {inOrder(head, (cell) => (
              <th scope="col">
                <CellView cell={cell} blockId={blockId} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inOrder(rest.slice(page * size, (page + 1) * size), (row) => (
            <tr>
              {inOrder(row, (cell) => (
                <td className={cell.type}>
                  <CellView cell={cell} blockId={blockId} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 && <Pages page={page} pages={pages} onTurn={setWantedPage} />}
    </div>
  );
}

function CellView({ cell, blockId }: { cell: Cell; blockId: string }): ReactNode {
  if (cell.type === 'action_cell') return <ElementView element={cell.element} blockId={blockId} />;
  return cell.type === 'rich_text' ? <RichText block={cell} /> : cell.text;
}

function Pages({ page, pages, onTurn }: { page: number; pages: number; onTurn: (page: number) => void }): ReactNode {
  const turn = (to: number, label: string, face: string) => {
    const shared = { 'aria-label': label, disabled: to < 0 || to === pages, onClick: () => onTurn(to), children: face };
    return <button type="button" className="icon" {...shared} />;
  };
  return (
    <div className="pages quiet" role="status">
      {turn(page - 1, 'Previous page', '‹')} Page {page + 1} of {pages} {turn(page + 1, 'Next page', '›')}
    </div>
  );
}
