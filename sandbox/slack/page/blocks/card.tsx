import type { ReactNode } from 'react';
import { ElementView } from '../elements/element-view.tsx';
import { Picture } from '../elements/picture.tsx';
import { Text } from '../text/text.tsx';
import type { BlockOf } from './block-schema.ts';
import { keyOfElement } from './element-schema.ts';

/** Shows a card: an image, text, and buttons that are sent to the bot. */
export function Card({ card }: { readonly card: BlockOf<'card'> }): ReactNode {
  const { title, subtitle, body, icon, hero_image: hero, actions = [] } = card;
  return (
    <section className="card">
      {hero && <Picture url={hero.image_url} alt={hero.alt_text} />}
      <div className="heading">
        {icon && <Picture url={icon.image_url} alt={icon.alt_text} />}
        <div>
          {title && (
            <h4>
              <Text text={title} />
            </h4>
          )}
          {subtitle && (
            <small>
              <Text text={subtitle} />
            </small>
          )}
        </div>
      </div>
      {body && <Text text={body} />}
      {actions.length > 0 && (
        <div className="actions">
          {actions.map((element) => (
            <ElementView key={keyOfElement(element)} element={element} blockId={card.block_id} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Shows cards side by side. They can be focused, so that arrow keys scroll. */
export function Carousel({ cards }: { readonly cards: readonly BlockOf<'card'>[] }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className="cards" aria-label="Carousel" tabIndex={0}>
      {cards.map((card) => (
        <Card key={card.block_id} card={card} />
      ))}
    </section>
  );
}
