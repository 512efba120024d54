import type { Option } from '@slack/types';
import { type ReactNode, useId, useState } from 'react';
import { DEFAULT_MAX_LENGTH } from '../block-kit/fields.ts';
import { Menu } from './dialog.tsx';
import { dataAttributes, Field, type Placed, placeholderOf, readOptions, useValue } from './field.tsx';
import { LookupChoices, LookupSelect } from './lookups.tsx';
import { ChannelSelect, ListSelect, PeopleSelect } from './selects.tsx';
import { useSurface } from './surface.tsx';
import { plainText, safeLink, Text } from './text/text.tsx';

interface ElementViewProps {
  element: Placed['element'];
  blockId: string;
  /** Whether a choice is sent to the bot at once, and not with the form around it. */
  acts?: boolean;
}

export function ElementView({ element, blockId, acts = true }: ElementViewProps): ReactNode {
  const ids = { blockId, actionId: ('action_id' in element && element.action_id) || '' };
  const shared = { ids, acts };
  switch (element.type) {
    case 'button':
      return <PressButton element={element} {...shared} />;
    case 'overflow':
      return <Overflow element={element} {...shared} />;
    case 'static_select':
      return <ListSelect element={element} {...shared} />;
    case 'external_select':
      return <LookupSelect element={element} {...shared} />;
    case 'multi_external_select':
      return <LookupChoices element={element} {...shared} />;
    case 'conversations_select':
      return <ChannelSelect element={element} {...shared} />;
    case 'users_select':
      return <PeopleSelect element={element} {...shared} />;
    case 'checkboxes':
    case 'multi_static_select':
    case 'radio_buttons':
      return <Choices element={element} {...shared} />;
    case 'plain_text_input':
      return <TextInput element={element} {...shared} />;
    default:
      throw new Error(`Notif sends no ${element.type}`);
  }
}

function PressButton({ element, ids }: Placed<'button'>): ReactNode {
  const { act } = useSurface();
  const [busy, setBusy] = useState(false);
  const { type, text, value, confirm, style, accessibility_label: label } = element;
  const press = async () => {
    setBusy(true);
    await act(ids, { type, text, ...(value !== undefined && { value }) }, confirm);
    setBusy(false);
  };
  const href = safeLink(element.url ?? '');
  const shared = {
    ...dataAttributes({ element, ids }),
    className: `button ${style ?? ''}`,
    'aria-busy': busy,
    'aria-label': label,
    onClick: () => void press(),
    children: plainText(text),
  };
  if (href === null) return <button type="button" {...shared} />;
  return <a href={href} target="_blank" rel="noopener noreferrer" {...shared} />;
}

function Overflow({ element, ids }: Placed<'overflow'>): ReactNode {
  const { act } = useSurface();
  const items = element.options.map((option) => ({
    id: option.value ?? '',
    name: plainText(option.text),
    choose: () => act(ids, { type: element.type, selected_option: option }),
  }));
  return (
    <span {...dataAttributes({ element, ids })}>
      <Menu label="More options" face="⋯" items={items} />
    </span>
  );
}

/** A select of several is a list of checkboxes here, which needs no search. */
function Choices(placed: Placed<'checkboxes' | 'radio_buttons' | 'multi_static_select'>): ReactNode {
  const { type } = placed.element;
  const options: readonly Option[] = placed.element.options ?? [];
  const [value, choose] = useValue(placed);
  const group = useId();
  const isOne = type === 'radio_buttons';
  const chosen = readOptions(value).map((option) => option.value);
  const toggle = (option: Option, isChosen: boolean) => {
    const all = options.filter((each) => (each === option ? isChosen : chosen.includes(each.value)));
    choose(isOne ? option : all);
  };
  return (
    <Field placed={placed} name="Choices">
      {/* A label can't point to a group by its ID. */}
      {({ id: _, ...connected }) => (
        <div className="choices" role={isOne ? 'radiogroup' : 'group'} {...connected}>
          {options.map((option) => (
            <label key={option.value} className="choice">
              <input
                type={isOne ? 'radio' : 'checkbox'}
                name={group}
                checked={chosen.includes(option.value)}
                onChange={({ target }) => toggle(option, target.checked)}
              />
              <Text text={option.text} />
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}

function TextInput(placed: Placed<'plain_text_input'>): ReactNode {
  const { element } = placed;
  const [value, change] = useValue(placed);
  const shared = {
    value: String(value ?? ''),
    placeholder: placeholderOf(element, ''),
    maxLength: element.max_length ?? DEFAULT_MAX_LENGTH,
    onChange: ({ target }: { target: { value: string } }) => change(target.value || null),
  };
  return (
    <Field placed={placed} name="Text">
      {(connected) =>
        element.multiline ? <textarea rows={5} {...shared} {...connected} /> : <input {...shared} {...connected} />
      }
    </Field>
  );
}
