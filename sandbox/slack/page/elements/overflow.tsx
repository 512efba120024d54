import type { ReactNode } from 'react';
import type { Option } from '../blocks/objects.ts';
import { Menu } from '../menu.tsx';
import { useSurface } from '../surface.tsx';
import { safeLink } from '../text/safe-link.ts';
import { plainText } from '../text/text.tsx';
import { marks, type Placed } from './placed.ts';

/** Shows the ⋯ menu of a block. */
export function Overflow({ element, spot }: Placed<'overflow'>): ReactNode {
  const { act } = useSurface();
  const choose = (option: Option) => {
    const href = safeLink(option.url ?? '');
    if (href !== null) window.open(href, '_blank', 'noopener,noreferrer');
    void act(spot, { type: element.type, selected_option: option }, element.confirm);
  };
  const items = element.options.map((option) => ({
    id: option.value ?? option.text.text,
    name: plainText(option.text),
    ...(option.description && { detail: plainText(option.description) }),
    choose: () => choose(option),
  }));
  return (
    <span {...marks({ element, spot })}>
      <Menu label="More options" face="⋯" items={items} />
    </span>
  );
}
