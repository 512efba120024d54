import type { ReactNode } from 'react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import { Picture } from '../elements/picture.tsx';
import { RichText } from '../text/rich-text.tsx';
import { plainText, Text } from '../text/text.tsx';
import type { BlockOf } from './block-schema.ts';

interface ContainerProps {
  readonly block: BlockOf<'container'>;
  /** The inner blocks, drawn. */
  readonly children: ReactNode;
}

/** Shows blocks in a frame under a title, which can be collapsed if the bot allows it. */
export function Container({ block, children }: ContainerProps): ReactNode {
  if (!block.is_collapsible)
    return (
      <section className={`frame ${block.width}`}>
        <header>
          <Title block={block} />
        </header>
        {children}
      </section>
    );
  return (
    <Disclosure className={`frame ${block.width}`} defaultExpanded={block.default_collapsed !== true}>
      <Heading level={4}>
        <Button slot="trigger" className="fold">
          <Title block={block} />
        </Button>
      </Heading>
      <DisclosurePanel>{children}</DisclosurePanel>
    </Disclosure>
  );
}

function Title({
  block: { title, rich_text_title: richTitle, subtitle, icon },
}: Pick<ContainerProps, 'block'>): ReactNode {
  return (
    <>
      {icon && <Picture url={icon.image_url} alt={icon.alt_text} />}
      <span className="title">
        {richTitle ? <RichText elements={richTitle.elements} /> : title && <strong>{plainText(title)}</strong>}
        {subtitle && (
          <small>
            <Text text={subtitle} />
          </small>
        )}
      </span>
    </>
  );
}
