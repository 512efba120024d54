import type { ReactNode } from 'react';
import type { Json } from '../../page-protocol.ts';
import { ElementView } from '../elements/element-view.tsx';
import { Picture } from '../elements/picture.tsx';
import { inOrder } from '../in-order.tsx';
import { RichText } from '../text/rich-text.tsx';
import { plainText, Text } from '../text/text.tsx';
import { BlockBoundary } from './block-boundary.tsx';
import { type Block, type BlockOf, block, drawnTypes } from './block-schema.ts';
import { Container } from './container.tsx';
import { DataTable } from './data-table.tsx';
import { keyOfElement } from './element-schema.ts';
import { InputBlock } from './input-block.tsx';
import { OtherBlock } from './other-block.tsx';
import { Table } from './table.tsx';
import { Undrawable } from './undrawable.tsx';

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

interface BlockViewProps {
  readonly block: Block;
  /** The input's error; only an input block shows it. */
  readonly error: string | undefined;
}

function BlockView({ block, error }: BlockViewProps): ReactNode {
  return (
    <div className={`block ${block.type}`} data-block-id={block.block_id}>
      {drawBlock(block, error)}
    </div>
  );
}

function drawBlock(block: Block, error: string | undefined): ReactNode {
  switch (block.type) {
    case 'header':
      return <Header {...block} />;
    case 'divider':
      return <hr />;
    case 'section':
      return <Section {...block} />;
    case 'context':
      return <Context {...block} />;
    case 'actions':
      return block.elements.map((element) => (
        <ElementView key={keyOfElement(element)} element={element} blockId={block.block_id} />
      ));
    case 'input':
      return <InputBlock block={block} error={error} />;
    case 'image':
      return (
        <figure>
          {block.title && (
            <figcaption>
              <Text text={block.title} />
            </figcaption>
          )}
          <Picture url={block.image_url} alt={block.alt_text} />
        </figure>
      );
    case 'rich_text':
      return <RichText elements={block.elements} />;
    case 'table':
      return <Table {...block} />;
    case 'data_table':
      return <DataTable {...block} />;
    case 'alert':
      return <Alert {...block} />;
    case 'container':
      return (
        <Container block={block}>
          <Blocks blocks={block.child_blocks} />
        </Container>
      );
  }
}

/** Draws a header. The largest one, which most bots send, is below the names of view and channel. */
function Header({ text, level = 1 }: BlockOf<'header'>): ReactNode {
  const Tag = level > 1 ? 'h4' : 'h3';
  return <Tag>{plainText(text)}</Tag>;
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

function Section({ block_id, text, fields, accessory }: BlockOf<'section'>): ReactNode {
  return (
    <>
      <div className="words">
        {text && <Text text={text} />}
        {fields && (
          <div className="fields">
            {inOrder(fields, (field) => (
              <div>
                <Text text={field} />
              </div>
            ))}
          </div>
        )}
      </div>
      {accessory && <ElementView element={accessory} blockId={block_id} />}
    </>
  );
}

function Context({ elements }: BlockOf<'context'>): ReactNode {
  return inOrder(elements, (element) =>
    element.type === 'image' ? (
      <Picture url={element.image_url} alt={element.alt_text} />
    ) : (
      <span>
        <Text text={element} />
      </span>
    ),
  );
}
