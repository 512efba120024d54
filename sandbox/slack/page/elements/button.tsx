import { type ReactNode, useState } from 'react';
import { useSurface } from '../surface.tsx';
import { safeLink } from '../text/safe-link.ts';
import { plainText } from '../text/text.tsx';
import { marks, type Placed } from './placed.ts';

/** Shows a button, or a link that looks like one if it has a `url`. Slack reports clicks on both to the bot. */
export function Button({ element, spot }: Placed<'button'>): ReactNode {
  const { act } = useSurface();
  const [busy, setBusy] = useState(false);
  const { type, text, value, confirm, style, accessibility_label } = element;
  const press = async () => {
    setBusy(true);
    await act(spot, { type, text, ...(value !== undefined && { value }) }, confirm);
    setBusy(false);
  };
  const shared = {
    ...marks({ element, spot }),
    className: `button ${style ?? ''}`,
    'aria-label': accessibility_label,
    'aria-busy': busy,
    onClick: () => void press(),
  };
  const href = safeLink(element.url ?? '');
  if (href === null)
    return (
      <button type="button" {...shared}>
        {plainText(text)}
      </button>
    );
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...shared}>
      {plainText(text)}
    </a>
  );
}
