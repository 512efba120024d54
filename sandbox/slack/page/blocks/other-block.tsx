import { lazy, type ReactNode, Suspense } from 'react';
import type { Json } from '../../page-protocol.ts';

const LibraryBlock = lazy(() => import('./library-block.tsx').then(({ LibraryBlock }) => ({ default: LibraryBlock })));

/**
 * Shows a display-only block (markdown, a plan, a chart, …). The library for those is large and rarely needed, so it is loaded on demand.
 */
export function OtherBlock({ json }: { readonly json: Json }): ReactNode {
  return (
    <Suspense fallback={<p className="quiet">…</p>}>
      <LibraryBlock json={json} />
    </Suspense>
  );
}
