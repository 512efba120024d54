import { lazy, type ReactNode, Suspense } from 'react';
import type { Json } from '../../page-protocol.ts';

const LibraryBlock = lazy(() => import('./library-block.tsx').then(({ LibraryBlock }) => ({ default: LibraryBlock })));

/** A block that only shows something (markdown, a plan, a chart, …). The library that draws those is big, and most pages never need it. */
export function OtherBlock({ json }: { readonly json: Json }): ReactNode {
  return (
    <Suspense fallback={<p className="quiet">…</p>}>
      <LibraryBlock json={json} />
    </Suspense>
  );
}
