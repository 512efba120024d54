import type { KeyboardEvent, ReactNode } from 'react';
import { Input, TextArea, TextField } from 'react-aria-components';
import { DEFAULT_MAX_LENGTH, stateOf } from '../../block-kit/element-state.ts';
import { useSurface } from '../surface.tsx';
import { Framed, useField } from './field.tsx';
import { type Placed, placeholderOf, useValue } from './placed.ts';

/** A text field. With `dispatch_action` the bot gets Enter or each character, as the element asks. */
export function TextInput(placed: Placed<'plain_text_input'>): ReactNode {
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
          <Input placeholder={placeholder} onKeyDown={onKeyDown} />
        )}
      </Framed>
    </TextField>
  );
}
