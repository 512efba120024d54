import type { Option } from '@slack/types';
import { type ReactNode, useContext } from 'react';
import { Field, FrameContext, type Placed, placeholderOf, readOptions, useValue } from './field.tsx';
import { plainText } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

export function ListSelect(placed: Placed<'static_select'>): ReactNode {
  const { element } = placed;
  const [value, choose] = useValue(placed);
  const groups = element.option_groups ?? [{ label: undefined, options: element.options ?? [] }];
  const all = groups.flatMap(({ options }) => options);
  return (
    <NativeSelect
      placed={placed}
      placeholder={placeholderOf(element, 'Choose an option')}
      chosen={readOptions(value)[0]?.value}
      onChoose={(chosen) => choose(all.find((each) => each.value === chosen) ?? null)}
    >
      {groups.map(({ label, options }) =>
        label === undefined ? (
          options.map(drawNative)
        ) : (
          <optgroup key={label.text} label={plainText(label)}>
            {options.map(drawNative)}
          </optgroup>
        ),
      )}
    </NativeSelect>
  );
}

function drawNative({ text, value }: Option): ReactNode {
  return (
    <option key={value} value={value}>
      {plainText(text)}
    </option>
  );
}

export function PeopleSelect(placed: Placed<'users_select'>): ReactNode {
  const { people } = useWorkspace().snapshot;
  return <NamedSelect placed={placed} placeholder={placeholderOf(placed.element, 'Choose people')} choices={people} />;
}

export function ChannelSelect(placed: Placed<'conversations_select'>): ReactNode {
  const { conversations } = useWorkspace().snapshot;
  const channels = conversations.filter(({ kind }) => kind === 'channel');
  const choices = channels.map(({ id, name }) => ({ id, name: `# ${name}` }));
  return (
    <NamedSelect placed={placed} placeholder={placeholderOf(placed.element, 'Choose a channel')} choices={choices} />
  );
}

interface NamedSelectProps {
  placed: Placed<'users_select'> | Placed<'conversations_select'>;
  placeholder: string;
  choices: readonly { id: string; name: string }[];
}

/** Its value is an ID. */
function NamedSelect({ placed, placeholder, choices }: NamedSelectProps): ReactNode {
  const [value, choose] = useValue(placed);
  return (
    <NativeSelect
      placed={placed}
      placeholder={placeholder}
      chosen={typeof value === 'string' ? value : undefined}
      onChoose={(chosen) => choose(chosen || null)}
    >
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}

interface NativeSelectProps {
  placed: Pick<Placed, 'element' | 'ids'>;
  placeholder: string;
  chosen: string | undefined;
  onChoose: (value: string) => void;
  children: ReactNode;
}

/** Slack allows an empty choice only in an optional field. */
function NativeSelect({ placed, placeholder, chosen = '', onChoose, children }: NativeSelectProps): ReactNode {
  const isOptional = useContext(FrameContext)?.optional === true;
  return (
    <Field placed={placed} name={placeholder}>
      {(connected) => (
        <select {...connected} value={chosen} onChange={({ target }) => onChoose(target.value)}>
          <option value="" disabled={!isOptional}>
            {placeholder}
          </option>
          {children}
        </select>
      )}
    </Field>
  );
}
