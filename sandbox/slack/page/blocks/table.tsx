import type { CSSProperties, ReactNode } from 'react';
import { inOrder } from '../in-order.tsx';
import { RichText } from '../text/rich-text.tsx';
import type { BlockOf } from './block-schema.ts';
import type { Cell } from './table-schema.ts';

type TableProps = Pick<BlockOf<'table'>, 'rows' | 'column_settings'>;

/** Shows a table. Its first row is the heading, as in Slack. */
export function Table({ rows: [head = [], ...rest], column_settings: settings = [] }: TableProps): ReactNode {
  const styles = head.map((_, column): CSSProperties => ({ textAlign: settings[column]?.align ?? 'start' }));
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            {inOrder(head, (cell, column) => (
              <th scope="col" style={styles[column]}>
                <CellView cell={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inOrder(rest, (row) => (
            <tr>
              {inOrder(row, (cell, column) => (
                <td style={styles[column]}>
                  <CellView cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function CellView({ cell }: { readonly cell: Cell }): ReactNode {
  switch (cell.type) {
    case 'rich_text':
      return <RichText elements={cell.elements} />;
    case 'raw_number':
      return cell.text ?? cell.value;
    case 'raw_text':
      return cell.text;
  }
}
