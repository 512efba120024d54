import type { KeyboardEvent, ReactNode } from 'react';
import { Input, TextArea, TextField } from 'react-aria-components';
import { DEFAULT_MAX_LENGTH, stateOf } from '../../block-kit/element-state.ts';
import { useSurface } from '../surface.tsx';
import { Framed, useField } from './field.tsx';
import { type Placed, placeholderOf, useValue } from './placed.ts';

type TextType = 'plain_text_input' | 'number_input' | 'email_text_input' | 'url_text_input';

/**
 * The keyboard that a phone shows. Neither the input's type nor the library's number field is used, because they would check or correct
 * what Slack reports after the submission.
 */
const keyboards = {
  plain_text_input: 'text',
  number_input: 'decimal',
  email_text_input: 'email',
  url_text_input: 'url',
} as const;

/** A text field. With `dispatch_action` the bot gets Enter or each character, as the element asks. */
export function TextInput(placed: Placed<TextType>): ReactNode {
  const { element, spot, acts } = placed;
  const { act } = useSurface();
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];
  const [value, change] = useValue({ ...placed, acts: acts && triggers.includes('on_character_entered') });
  const text = typeof value === 'string' ? value : '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !acts || !triggers.includes('on_enter_pressed')) return;
    event.preventDefault();
    void act(spot, stateOf(element.type, text || null));
  };
  const placeholder = placeholderOf(element, '');
  return (
    <TextField
      {...useField(placed, 'Text')}
      value={text}
      onChange={(now) => change(now || null)}
      maxLength={element.max_length ?? DEFAULT_MAX_LENGTH}
    >
      <Framed>
        {element.multiline ? (
          <TextArea rows={5} placeholder={placeholder} onKeyDown={onKeyDown} />
        ) : (
          <Input inputMode={keyboards[element.type]} placeholder={placeholder} onKeyDown={onKeyDown} />
        )}
      </Framed>
    </TextField>
  );
}
