import type { KeyboardEvent, ReactNode } from 'react';
import { stateOf } from '../state.ts';
import { useSurface } from '../surface.tsx';
import { plainText } from '../text/text.tsx';
import { marks, type Placed, useValue } from './placed.ts';

type TextType = 'plain_text_input' | 'number_input' | 'email_text_input' | 'url_text_input';

/** The keyboard that a telephone offers. Not the input's type: the browser would check in its own words what Slack leaves to the bot. */
const keyboards = {
  plain_text_input: 'text',
  number_input: 'decimal',
  email_text_input: 'email',
  url_text_input: 'url',
} as const;

/** A field for text. With `dispatch_action` the bot hears of Enter, or of each character, as the element asks. */
export function TextInput(placed: Placed<TextType>): ReactNode {
  const { element, spot, acts, aria } = placed;
  const { act } = useSurface();
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const [value, change] = useValue({ ...placed, acts: acts && triggers.includes('on_character_entered') });
  const text = typeof value === 'string' ? value : '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !acts || !triggers.includes('on_enter_pressed')) return;
    event.preventDefault();
    void act(spot, stateOf(element.type, text || null));
  };
  const shared = {
    ...aria,
    ...marks(placed),
    value: text,
    placeholder: element.placeholder && plainText(element.placeholder),
    maxLength: element.max_length,
    onChange: (event: { target: { value: string } }) => change(event.target.value || null),
    onKeyDown,
  };
  return element.multiline ? (
    <textarea rows={5} {...shared} />
  ) : (
    <input type="text" inputMode={keyboards[element.type]} {...shared} />
  );
}
