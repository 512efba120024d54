import { type ReactNode, useState } from 'react';
import { useSurface } from '../surface.tsx';
import { useField } from './field.tsx';
import { OptionBox } from './option-box.tsx';
import { readOptions } from './options.ts';
import { type Placed, placeholderOf, useValue } from './placed.ts';
import { useLookup } from './use-lookup.ts';

/** The number of typed characters from which Slack asks the bot, unless the element says otherwise. */
const slacksMinQueryLength = 3;

/** A select, for one or several, with the bot's options for what is being typed. */
export function ExternalSelect(placed: Placed<'external_select' | 'multi_external_select'>): ReactNode {
  const { element, spot } = placed;
  const { suggest } = useSurface();
  const [value, choose] = useValue(placed);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = readOptions(value);
  const many = element.type === 'multi_external_select';
  const least = element.min_query_length ?? slacksMinQueryLength;
  // The label of the chosen option is in the field and is no query.
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
