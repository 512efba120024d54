import { type ReactNode, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { useSurface } from '../surface.tsx';
import { plainText } from '../text/text.tsx';
import { marks, type Placed } from './placed.ts';

/** Shows two buttons that rate an answer. The pressed one stays marked. */
export function FeedbackButtons({ element, spot }: Placed<'feedback_buttons'>): ReactNode {
  const { act } = useSurface();
  const [pressed, setPressed] = useState<unknown>(null);
  const { type, positive_button, negative_button, confirm } = element;
  const press = async (button: typeof positive_button) => {
    const { text, value } = button;
    if (await act(spot, { type, text, value }, confirm)) setPressed(button.value);
  };
  return (
    <span {...marks({ element, spot })} className="feedback">
      {[positive_button, negative_button].map((button) => (
        <ToggleButton
          key={button.value ?? button.text.text}
          className="icon"
          aria-label={button.accessibility_label ?? plainText(button.text)}
          isSelected={pressed === button.value}
          onChange={() => void press(button)}
        >
          {plainText(button.text)}
        </ToggleButton>
      ))}
    </span>
  );
}
