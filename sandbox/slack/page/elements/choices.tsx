import type { ReactNode } from 'react';
import { Checkbox, CheckboxGroup, Radio, RadioGroup } from 'react-aria-components';
import type { Option } from '../blocks/objects.ts';
import { Text } from '../text/text.tsx';
import { Framed, useField } from './field.tsx';
import { keyOf, readOptions } from './options.ts';
import { type Placed, useValue } from './placed.ts';

export function Checkboxes(placed: Placed<'checkboxes'>): ReactNode {
  const { options } = placed.element;
  const [value, choose] = useValue(placed);
  return (
    <CheckboxGroup
      {...useField(placed, 'Choices')}
      value={readOptions(value).map(keyOf)}
      onChange={(keys) => choose(options.filter((option) => keys.includes(keyOf(option))))}
    >
      <Framed>
        {options.map((option) => (
          <Checkbox key={keyOf(option)} value={keyOf(option)} className="choice">
            <Words option={option} />
          </Checkbox>
        ))}
      </Framed>
    </CheckboxGroup>
  );
}

export function RadioButtons(placed: Placed<'radio_buttons'>): ReactNode {
  const { options } = placed.element;
  const [value, choose] = useValue(placed);
  const [chosen] = readOptions(value);
  return (
    <RadioGroup
      {...useField(placed, 'Choices')}
      value={chosen === undefined ? null : keyOf(chosen)}
      onChange={(key) => choose(options.find((option) => keyOf(option) === key) ?? null)}
    >
      <Framed>
        {options.map((option) => (
          <Radio key={keyOf(option)} value={keyOf(option)} className="choice">
            <Words option={option} />
          </Radio>
        ))}
      </Framed>
    </RadioGroup>
  );
}

function Words({ option: { text, description } }: { readonly option: Option }): ReactNode {
  return (
    <>
      <span className="box" aria-hidden="true" />
      <span>
        <Text text={text} />
        {description && (
          <small>
            <Text text={description} />
          </small>
        )}
      </span>
    </>
  );
}
