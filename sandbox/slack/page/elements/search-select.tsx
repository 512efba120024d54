import type { ReactNode } from 'react';
import { useSurface } from '../surface.tsx';
import { plainText } from '../text/text.tsx';
import { Combobox } from './combobox.tsx';
import { filterOptions, readOptions } from './options.ts';
import { marks, type Placed, useValue } from './placed.ts';

type Searched = 'external_select' | 'multi_external_select' | 'multi_static_select';

/** Slack asks the bot only once three characters are typed, unless the element says otherwise. */
const slacksMinQueryLength = 3;

/** A select that is searched by typing: among fixed options, or by asking the bot. */
export function SearchSelect(placed: Placed<Searched>): ReactNode {
  const { element, spot, aria } = placed;
  const { suggest } = useSurface();
  const [value, choose] = useValue(placed);
  const many = element.type !== 'external_select';
  const fixed = element.type === 'multi_static_select' ? fixedOptions(element) : null;
  return (
    <Combobox
      aria={aria}
      marks={marks(placed)}
      placeholder={element.placeholder === undefined ? 'Type to search' : plainText(element.placeholder)}
      many={many}
      chosen={readOptions(value)}
      leastTyped={
        fixed === null && 'min_query_length' in element ? (element.min_query_length ?? slacksMinQueryLength) : 0
      }
      look={async (typed) => (fixed === null ? readOptions(await suggest(spot, typed)) : filterOptions(fixed, typed))}
      onChoose={(chosen) => choose(many ? chosen : (chosen[0] ?? null))}
    />
  );
}

function fixedOptions({ options, option_groups }: Placed<'multi_static_select'>['element']) {
  return [...(options ?? []), ...(option_groups ?? []).flatMap((group) => group.options)];
}
