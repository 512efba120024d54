import { Component, lazy, type ReactNode, Suspense } from 'react';
import type { Json } from '../../page-protocol.ts';
import { ElementView } from '../elements/element-view.tsx';
import { FrameContext } from '../elements/field.tsx';
import { inOrder, plainText, RichText, Text } from '../text/text.tsx';
import { DataTable } from './data-table.tsx';
import { type Block, type BlockOf, block } from './schema.ts';

/** The library for charts is large and rarely needed, so it is loaded on demand. */
const Chart = lazy(() => import('./chart.tsx').then(({ Chart }) => ({ default: Chart })));

interface BlocksProps {
  readonly blocks: readonly Json[];
  /** block_id -> the error of its input. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** Draws blocks as the bot sent them. One that is malformed or can't be drawn shows a note in its place and affects no other. */
export function Blocks({ blocks, errors = {} }: BlocksProps): ReactNode {
  return blocks.map((json, index) => (
    <BlockBoundary key={String(json.block_id ?? index)} json={json}>
      <AnyBlock json={json} error={errors[String(json.block_id)]} />
    </BlockBoundary>
  ));
}

function AnyBlock({ json, error }: { readonly json: Json; readonly error: string | undefined }): ReactNode {
  if (json.type === 'data_visualization')
    return (
      <Suspense fallback={<p className="quiet">…</p>}>
        <Chart json={json} />
      </Suspense>
    );
  const read = block.safeParse(json);
  if (!read.success) {
    const why = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    return <Undrawable json={json} why={why} />;
  }
  const { type, block_id: blockId } = read.data;
  return (
    <div className={`block ${type}`} data-block-id={blockId}>
      {drawBlock(read.data, error)}
    </div>
  );
}

function drawBlock(block: Block, error: string | undefined): ReactNode {
  switch (block.type) {
    case 'header':
      return <h3>{plainText(block.text)}</h3>;
    case 'divider':
      return <hr />;
    case 'section':
      return (
        <>
          <div className="words">
            <Text text={block.text} />
          </div>
          {block.accessory && <ElementView element={block.accessory} blockId={block.block_id} />}
        </>
      );
    case 'context':
      return inOrder(block.elements, (element) => (
        <span>
          <Text text={element} />
        </span>
      ));
    case 'actions':
      return block.elements.map((element) => (
        <ElementView key={element.action_id} element={element} blockId={block.block_id} />
      ));
    case 'input':
      return <Input block={block} error={error} />;
    case 'rich_text':
      return <RichText elements={block.elements} />;
    case 'data_table':
      return <DataTable {...block} />;
    case 'alert':
      return <Alert {...block} />;
    case 'container':
      return (
        <details className="frame" open={block.default_collapsed !== true}>
          <summary>{plainText(block.title)}</summary>
          <Blocks blocks={block.child_blocks} />
        </details>
      );
  }
}

function Input({ block, error }: { readonly block: BlockOf<'input'>; readonly error: string | undefined }): ReactNode {
  const frame = {
    label: plainText(block.label),
    isOptional: block.optional === true,
    hint: block.hint && plainText(block.hint),
    error,
  };
  return (
    <FrameContext value={frame}>
      <ElementView element={block.element} blockId={block.block_id} acts={block.dispatch_action === true} />
    </FrameContext>
  );
}

const alertFaces = { default: '', info: 'ℹ️', warning: '⚠️', error: '⛔', success: '✅' } as const;

function Alert({ text, level }: BlockOf<'alert'>): ReactNode {
  return (
    <div className={`notice ${level}`} role="note">
      {level !== 'default' && <span aria-hidden="true">{alertFaces[level]}</span>}
      <span>
        <Text text={text} />
      </span>
    </div>
  );
}

interface BlockBoundaryProps {
  readonly json: Json;
  readonly children: ReactNode;
}

/** Prevents a block that throws from breaking the page. React writes the error to the console. */
class BlockBoundary extends Component<BlockBoundaryProps> {
  override state: { readonly problem: Error | null } = { problem: null };

  static getDerivedStateFromError(problem: Error) {
    return { problem };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    return problem === null ? this.props.children : <Undrawable json={this.props.json} why={problem.message} />;
  }
}

/** Shows a note in place of a block that couldn't be drawn, with the block's JSON. */
function Undrawable({ json, why }: { readonly json: Json; readonly why: string }): ReactNode {
  return (
    <details className="undrawable">
      <summary>
        This page cannot draw a block of type “{String(json.type)}” ({why})
      </summary>
      <pre>{JSON.stringify(json, null, 2)}</pre>
    </details>
  );
}
