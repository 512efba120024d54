import type { ReactNode } from 'react';
import { useField } from './field.tsx';
import { OptionBox } from './option-box.tsx';
import { readOptions } from './options.ts';
import { type Placed, placeholderOf, useValue } from './placed.ts';

/** A select, for one or several, with the bot's listed options. */
export function StaticSelect(placed: Placed<'static_select' | 'multi_static_select'>): ReactNode {
  const { element } = placed;
  const [value, choose] = useValue(placed);
  const many = element.type === 'multi_static_select';
  const placeholder = placeholderOf(element, many ? 'Choose options' : 'Choose an option');
  return (
    <OptionBox
      field={useField(placed, placeholder)}
      placeholder={placeholder}
      many={many}
      groups={element.option_groups ?? [{ options: element.options ?? [] }]}
      chosen={readOptions(value)}
      onChoose={(chosen) => choose(many ? chosen : (chosen[0] ?? null))}
    />
  );
}
