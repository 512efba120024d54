import type { ReactNode } from 'react';
import type { Option } from '../blocks/objects.ts';
import { plainText } from '../text/text.tsx';
import { readOptions } from './options.ts';
import { type FieldAria, marks, type Placed, useValue } from './placed.ts';

/** A select with fixed options: the browser's own. */
export function StaticSelect(placed: Placed<'static_select'>): ReactNode {
  const { element, aria } = placed;
  const [value, choose] = useValue(placed);
  const groups = element.option_groups ?? [];
  const options = [...(element.options ?? []), ...groups.flatMap((group) => group.options)];
  return (
    <NativeSelect
      aria={aria}
      marks={marks(placed)}
      chosen={readOptions(value)[0]?.value}
      placeholder={element.placeholder === undefined ? 'Choose an option' : plainText(element.placeholder)}
      onChoose={(chosen) => choose(options.find((option) => option.value === chosen) ?? null)}
    >
      {element.options?.map(drawOption)}
      {groups.map((group) => (
        <optgroup key={group.label.text} label={plainText(group.label)}>
          {group.options.map(drawOption)}
        </optgroup>
      ))}
    </NativeSelect>
  );
}

interface NativeSelectProps {
  readonly aria: FieldAria;
  readonly marks: ReturnType<typeof marks>;
  readonly placeholder: string;
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
  readonly children: ReactNode;
}

/** The browser's select, with the placeholder as its first, empty option. */
export function NativeSelect(props: NativeSelectProps): ReactNode {
  return (
    <select
      {...props.aria}
      {...props.marks}
      value={props.chosen ?? ''}
      onChange={(event) => props.onChoose(event.target.value)}
    >
      <option value="">{props.placeholder}</option>
      {props.children}
    </select>
  );
}

export function drawOption({ text, value }: Option): ReactNode {
  return (
    <option key={value} value={value}>
      {plainText(text)}
    </option>
  );
}
