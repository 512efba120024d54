import type { ReactNode } from 'react';
import { ElementView } from '../elements/element-view.tsx';
import { Picture } from '../elements/picture.tsx';
import { inOrder } from '../in-order.tsx';
import { RichText } from '../text/rich-text.tsx';
import { plainText, Text } from '../text/text.tsx';
import type { Block, BlockOf } from './block-schema.ts';
import { Blocks } from './blocks.tsx';
import { Card, Carousel } from './card.tsx';
import { Container } from './container.tsx';
import { DataTable } from './data-table.tsx';
import { keyOfElement } from './element-schema.ts';
import { InputBlock } from './input-block.tsx';
import { Table } from './table.tsx';

interface BlockViewProps {
  readonly block: Block;
  /** What is wrong with what was entered here; only an input block shows it. */
  readonly error: string | undefined;
}

export function BlockView({ block, error }: BlockViewProps): ReactNode {
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
    case 'context_actions':
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
    case 'card':
      return <Card card={block} />;
    case 'carousel':
      return <Carousel cards={block.elements} />;
    case 'container':
      return (
        <Container block={block}>
          <Blocks blocks={block.child_blocks} />
        </Container>
      );
  }
}

/** The largest, which most bots send, stands below the names of view and channel. */
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
