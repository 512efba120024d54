import { type ReactNode, useState } from 'react';
import { useSurface } from '../surface.tsx';
import { useField } from './field.tsx';
import { OptionBox } from './option-box.tsx';
import { readOptions } from './options.ts';
import { type Placed, placeholderOf, useValue } from './placed.ts';
import { useLookup } from './use-lookup.ts';

/** Slack asks the bot only once three characters are typed, unless the element says otherwise. */
const slacksMinQueryLength = 3;

/** A select, for one or several, whose options the bot is asked for while one types. */
export function ExternalSelect(placed: Placed<'external_select' | 'multi_external_select'>): ReactNode {
  const { element, spot } = placed;
  const { suggest } = useSurface();
  const [value, choose] = useValue(placed);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = readOptions(value);
  const many = element.type === 'multi_external_select';
  const least = element.min_query_length ?? slacksMinQueryLength;
  // The words of the chosen one are in the field, and ask for nothing.
  const query = !many && typed === chosen[0]?.text.text ? '' : typed;
  const found = useLookup(isOpen && query.length >= least ? query : null, async (words) =>
    readOptions(await suggest(spot, words)),
  );
  const placeholder = placeholderOf(element, 'Type to search');
  return (
    <OptionBox
      field={useField(placed, placeholder)}
      placeholder={placeholder}
      many={many}
      groups={[{ options: found ?? (many ? [] : chosen) }]}
      chosen={chosen}
      onChoose={(now) => choose(many ? now : (now[0] ?? null))}
      lookup={{ onType: setTyped, onOpen: setOpen, note: noteFor(query, least, found !== null) }}
    />
  );
}

function noteFor(query: string, least: number, wasAsked: boolean): string {
  if (wasAsked) return 'No results';
  return query.length >= least ? 'Asking the app …' : `Type ${least} characters or more to search.`;
}
