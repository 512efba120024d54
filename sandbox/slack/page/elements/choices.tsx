import { type ReactNode, useId } from 'react';
import type { Option } from '../blocks/objects.ts';
import { Text } from '../text/text.tsx';
import { readOptions } from './options.ts';
import { marks, type Placed, useValue } from './placed.ts';

/** Checkboxes or radio buttons. */
export function Choices(placed: Placed<'checkboxes' | 'radio_buttons'>): ReactNode {
  const { element, aria } = placed;
  const name = useId();
  const [value, choose] = useValue(placed);
  const chosen = readOptions(value);
  const many = element.type === 'checkboxes';
  const toggle = (option: Option) => {
    const others = chosen.filter((each) => each.value !== option.value);
    if (!many) choose(option);
    else choose(others.length < chosen.length ? others : [...chosen, option]);
  };
  return (
    <div className="choices" role={many ? 'group' : 'radiogroup'} {...aria} {...marks(placed)}>
      {element.options.map((option) => (
        <label key={option.value}>
          <input
            type={many ? 'checkbox' : 'radio'}
            name={name}
            checked={chosen.some((each) => each.value === option.value)}
            onChange={() => toggle(option)}
          />
          <span>
            <Text text={option.text} />
            {option.description && (
              <small>
                <Text text={option.description} />
              </small>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}
