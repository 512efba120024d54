import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import type { FieldContents, OpenView } from '../page-protocol.ts';
import { Blocks } from './blocks/blocks.tsx';
import { SurfaceProvider } from './surface.tsx';

const shown = z.object({ blocks: z.array(z.record(z.string(), z.unknown())) });

/** Shows the app's Home tab as published for this person. */
export function HomeTab({ home }: { readonly home: OpenView | null }): ReactNode {
  const [typed, setTyped] = useState<FieldContents>({});
  if (home === null) return <p className="home quiet">The app has not put anything here yet.</p>;
  const { blocks } = shown.parse(home.view);
  return (
    <div className="home" data-view-id={home.id}>
      <SurfaceProvider surface={{ in: 'view', viewId: home.id }} starts={home.starts} typed={typed} onType={setTyped}>
        <Blocks blocks={blocks} />
      </SurfaceProvider>
    </div>
  );
}
