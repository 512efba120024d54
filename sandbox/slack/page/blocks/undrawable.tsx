import type { ReactNode } from 'react';
import type { Json } from '../../page-protocol.ts';

/** Shows a note in place of a block that couldn't be drawn, with the block's JSON. */
export function Undrawable({ json, why }: { readonly json: Json; readonly why: string }): ReactNode {
  return (
    <details className="undrawable">
      <summary>
        This page cannot draw a block of type “{String(json.type)}” ({why})
      </summary>
      <pre>{JSON.stringify(json, null, 2)}</pre>
    </details>
  );
}
