import type { ReactNode } from 'react';
import type { Snapshot } from '../../page-protocol.ts';
import type { Option } from '../blocks/objects.ts';
import { plainText } from '../text/text.tsx';
import { useWorkspace } from '../workspace.ts';
import { Combobox } from './combobox.tsx';
import { filterOptions, optionOf } from './options.ts';
import { marks, type Placed, useValue } from './placed.ts';
import { drawOption, NativeSelect } from './select.tsx';

type Single = 'users_select' | 'channels_select' | 'conversations_select';
type Multiple = `multi_${Single}`;

/** A select of people or conversations: their state holds ids, not options. */
export function WorkspaceSelect(placed: Placed<Single | Multiple>): ReactNode {
  const { element, aria } = placed;
  const { snapshot } = useWorkspace();
  const [value, choose] = useValue(placed);
  const options = optionsFor(element.type, snapshot);
  const placeholder = element.placeholder === undefined ? 'Choose' : plainText(element.placeholder);
  const shared = { aria, placeholder, marks: marks(placed) };
  if (!element.type.startsWith('multi_')) {
    const chosen = typeof value === 'string' ? value : undefined;
    return (
      <NativeSelect {...shared} chosen={chosen} onChoose={(id) => choose(id || null)}>
        {options.map(drawOption)}
      </NativeSelect>
    );
  }
  const ids: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <Combobox
      {...shared}
      many
      chosen={options.filter((option) => ids.includes(option.value))}
      leastTyped={0}
      look={async (typed) => filterOptions(options, typed)}
      onChoose={(chosen) => choose(chosen.map((option) => option.value))}
    />
  );
}

function optionsFor(type: Single | Multiple, { people, conversations }: Snapshot): Option[] {
  if (type.endsWith('users_select')) return people.map(optionOf);
  const channels = conversations.filter(({ kind }) => kind === 'channel' || type.endsWith('conversations_select'));
  return channels.map(optionOf);
}
