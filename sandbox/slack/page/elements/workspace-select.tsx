import type { ReactNode } from 'react';
import type { Snapshot } from '../../page-protocol.ts';
import type { Option } from '../blocks/objects.ts';
import { titleOf } from '../sidebar.tsx';
import { useWorkspace } from '../workspace.ts';
import { useField } from './field.tsx';
import { OptionBox } from './option-box.tsx';
import { keyOf, optionOf } from './options.ts';
import { type Placed, placeholderOf, useValue } from './placed.ts';

type Single = 'users_select' | 'channels_select' | 'conversations_select';
type Multiple = `multi_${Single}`;

/** A select of people or conversations. Its state has IDs, not options. */
export function WorkspaceSelect(placed: Placed<Single | Multiple>): ReactNode {
  const { element } = placed;
  const { snapshot } = useWorkspace();
  const [value, choose] = useValue(placed);
  const many = element.type.startsWith('multi_');
  const options = optionsFor(element.type, snapshot);
  const ids = [value].flat();
  const placeholder = placeholderOf(
    element,
    element.type.endsWith('users_select') ? 'Choose people' : 'Choose channels',
  );
  return (
    <OptionBox
      field={useField(placed, placeholder)}
      placeholder={placeholder}
      many={many}
      groups={[{ options }]}
      chosen={options.filter((option) => ids.includes(option.value))}
      onChoose={(chosen) => choose(many ? chosen.map(keyOf) : (chosen[0]?.value ?? null))}
    />
  );
}

function optionsFor(type: Single | Multiple, { people, conversations }: Snapshot): Option[] {
  if (type.endsWith('users_select')) return people.map(optionOf);
  const channels = conversations.filter(({ kind }) => kind === 'channel' || type.endsWith('conversations_select'));
  return channels.map((channel) => optionOf({ id: channel.id, name: titleOf(channel) }));
}
