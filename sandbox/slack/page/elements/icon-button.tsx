import type { ReactNode } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useSurface } from '../surface.tsx';
import { plainText } from '../text/text.tsx';
import { useWorkspace } from '../workspace.ts';
import { marks, type Placed } from './placed.ts';

const faces: Readonly<Record<string, string>> = { trash: '🗑' };

/** Shows a button with an image, if the bot lets this person see it. */
export function IconButton({ element, spot }: Placed<'icon_button'>): ReactNode {
  const { act } = useSurface();
  const { me } = useWorkspace().snapshot;
  const { type, icon, text, value, confirm, visible_to_user_ids: onlyFor = [] } = element;
  if (onlyFor.length > 0 && !onlyFor.includes(me.id)) return null;
  return (
    <TooltipTrigger delay={500}>
      <Button
        {...marks({ element, spot })}
        className="icon"
        aria-label={element.accessibility_label ?? plainText(text)}
        onPress={() => void act(spot, { type, icon, text, ...(value !== undefined && { value }) }, confirm)}
      >
        {faces[icon] ?? plainText(text)}
      </Button>
      <Tooltip className="tooltip">{plainText(text)}</Tooltip>
    </TooltipTrigger>
  );
}
