import type { ReactNode } from 'react';
import { inOrder } from '../in-order.tsx';
import { RichText } from '../text/rich-text.tsx';
import type { BlockOf } from './block-schema.ts';

type Rows = BlockOf<'table'>['rows'];

/** A table; its first row is the heading, as Slack draws it. */
export function Table({ rows: [head = [], ...rest] }: { readonly rows: Rows }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          {inOrder(head, (cell) => (
            <th scope="col">{drawCell(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {inOrder(rest, (row) => (
          <tr>
            {inOrder(row, (cell) => (
              <td>{drawCell(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function drawCell(cell: Rows[number][number]): ReactNode {
  return cell.type === 'rich_text' ? <RichText elements={cell.elements} /> : cell.text;
}
