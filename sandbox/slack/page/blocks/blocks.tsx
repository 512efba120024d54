import type { ReactNode } from 'react';
import type { Json } from '../../page-protocol.ts';
import { BlockBoundary } from './block-boundary.tsx';
import { block, drawnTypes } from './block-schema.ts';
import { BlockView } from './block-view.tsx';
import { OtherBlock } from './other-block.tsx';
import { Undrawable } from './undrawable.tsx';

interface BlocksProps {
  readonly blocks: readonly Json[];
  /** block_id -> what is wrong with what was entered there. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** Draws blocks as the bot sent them. One that is malformed, or fails to be drawn, says so in its place and hides no other. */
export function Blocks({ blocks, errors = {} }: BlocksProps): ReactNode {
  return blocks.map((json, index) => (
    <BlockBoundary key={String(json.block_id ?? index)} json={json}>
      <AnyBlock json={json} error={errors[String(json.block_id)]} />
    </BlockBoundary>
  ));
}

function AnyBlock({ json, error }: { readonly json: Json; readonly error: string | undefined }): ReactNode {
  if (!drawnTypes.has(json.type)) return <OtherBlock json={json} />;
  const read = block.safeParse(json);
  if (!read.success)
    return (
      <Undrawable
        json={json}
        why={read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}
      />
    );
  return <BlockView block={read.data} error={error} />;
}
