import type { KnownBlock } from '@slack/types';
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { z } from 'zod';
import { isGivenId } from '../block-kit/controls.ts';
import type { Json } from '../page-protocol.ts';
import { DataTable } from './data-table.tsx';
import { ElementView } from './elements.tsx';
import { FrameContext } from './field.tsx';
import { inOrder, plainText, RichText, Text } from './text/text.tsx';

const known = z.custom<KnownBlock>((json) => typeof json === 'object' && json !== null);
const withBlocks = z.object({ blocks: z.array(z.record(z.string(), z.unknown())) });

export const blocksOf = (view: Json): readonly Json[] => withBlocks.parse(view).blocks;

interface BlocksProps {
  blocks: readonly Json[];
  errors?: Readonly<Record<string, string>>;
}

/** Draws blocks as the bot sent them. One that can't be drawn shows a note in its place and affects no other. */
export function Blocks({ blocks, errors = {} }: BlocksProps): ReactNode {
  return blocks.map((json, index) => {
    const block = known.parse(json);
    const { block_id: id = '' } = block;
    return (
      // Redrawn blocks that stay the same elements keep the keyboard's focus.
      <BlockBoundary key={isGivenId(id) ? id : `${index} ${block.type}`} json={json}>
        <div className={`block ${block.type}`}>
          {json.type === 'data_visualization' ? (
            <Suspense fallback={<p className="quiet">…</p>}>
              <Chart json={json} />
            </Suspense>
          ) : (
            <BlockView block={block} error={errors[id]} />
          )}
        </div>
      </BlockBoundary>
    );
  });
}

function BlockView({ block, error }: { block: KnownBlock; error: string | undefined }): ReactNode {
  const { block_id: blockId = '' } = block;
  switch (block.type) {
    case 'header':
      return <h3>{plainText(block.text)}</h3>;
    case 'divider':
      return <hr />;
    case 'section':
      return (
        <>
          <div className="words">{block.text && <Text text={block.text} />}</div>
          {block.accessory && <ElementView element={block.accessory} blockId={blockId} />}
        </>
      );
    case 'context':
      return inOrder(block.elements, (element) => (
        <span>{element.type === 'image' ? element.alt_text : <Text text={element} />}</span>
      ));
    case 'actions':
      return inOrder(block.elements, (element) => <ElementView element={element} blockId={blockId} />);
    case 'input':
      return (
        <FrameContext value={{ ...block, error }}>
          <ElementView element={block.element} blockId={blockId} acts={block.dispatch_action === true} />
        </FrameContext>
      );
    case 'rich_text':
      return <RichText block={block} />;
    case 'data_table':
      return <DataTable key={block.caption} block={block} />;
    case 'container':
      return (
        <details className="frame" open={block.default_collapsed !== true}>
          <summary>{block.title && plainText(block.title)}</summary>
          <Blocks blocks={blocksOf({ blocks: block.child_blocks })} />
        </details>
      );
    default:
      throw new Error(`Notif sends no ${block.type}`);
  }
}

/** The library for charts is large and rarely needed, so it is loaded on demand. */
const Chart = lazy(() => import('./chart.tsx').then(({ Chart }) => ({ default: Chart })));

/** Prevents a block that throws from breaking the page: shows a note and its JSON in its place. React writes the error to the console. */
class BlockBoundary extends Component<{ json: Json; children: ReactNode }> {
  override state: { readonly problem: Error | null } = { problem: null };

  static getDerivedStateFromError(problem: Error) {
    return { problem };
  }

  override render(): ReactNode {
    const { json, children } = this.props;
    const { problem } = this.state;
    if (problem === null) return children;
    return (
      <details className="frame">
        <summary>
          This page cannot draw a block of type “{String(json.type)}” ({problem.message})
        </summary>
        <pre>{JSON.stringify(json, null, 2)}</pre>
      </details>
    );
  }
}
