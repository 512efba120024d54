import type { Option } from '@slack/types';
import { type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  Group,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { z } from 'zod';
import { DEFAULT_MIN_QUERY_LENGTH } from '../block-kit/fields.ts';
import { Field, FrameContext, type Placed, placeholderOf, useValue } from './field.tsx';
import { useSurface } from './surface.tsx';
import { plainText } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

const option = z.custom<Option>((json) => typeof json === 'object' && json !== null);

export function readOptions(value: unknown): Option[] {
  return [value].flat().flatMap((each) => option.safeParse(each).data ?? []);
}

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

export function LookupSelect(placed: Placed<'external_select'>): ReactNode {
  const { element, ids } = placed;
  const { suggest } = useSurface();
  const [value, choose] = useValue(placed);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [chosen] = readOptions(value);
  const least = element.min_query_length ?? DEFAULT_MIN_QUERY_LENGTH;
  // The label of the chosen option is in the field and is no query.
  const query = typed === chosen?.text.text ? '' : typed;
  const suggested = useLookup(isOpen && query.length >= least ? query : null, async (words) =>
    readOptions(await suggest(ids, words)),
  );
  const options = suggested ?? (chosen ? [chosen] : []);
  const waiting = query.length >= least ? 'Asking the app …' : `Type ${least} characters or more to search.`;
  const placeholder = placeholderOf(element, 'Type to search');
  return (
    <Field placed={placed} name={placeholder}>
      {(connected) => (
        <ComboBox
          {...connected}
          value={chosen?.value ?? null}
          onChange={(key) => key !== null && choose(options.find((each) => each.value === key) ?? null)}
          // If the field is focused from the start, the library doesn't fill it once it knows its options.
          defaultInputValue={chosen ? plainText(chosen.text) : ''}
          allowsEmptyCollection
          defaultFilter={() => true}
          onInputChange={setTyped}
          onOpenChange={setOpen}
        >
          <Group className="combobox">
            <SearchInput placeholder={placeholder} />
            <Button className="icon">▾</Button>
          </Group>
          <Popover className="popover">
            <ListBox renderEmptyState={() => <p className="quiet">{suggested === null ? waiting : 'No results'}</p>}>
              {options.map(drawOption)}
            </ListBox>
          </Popover>
        </ComboBox>
      )}
    </Field>
  );
}

const MOST_SHOWN = 8;

/** What is chosen stays, beside what fits what is typed. */
export function LookupChoices(placed: Placed<'multi_external_select'>): ReactNode {
  const { suggest } = useSurface();
  const [value, choose] = useValue(placed);
  const [typed, setTyped] = useState('');
  const chosen = readOptions(value);
  const suggested = useLookup(typed, async (words) => readOptions(await suggest(placed.ids, words))) ?? [];
  const isChosen = (option: Option) => chosen.some((each) => each.value === option.value);
  const others = suggested.filter((option) => !isChosen(option)).slice(0, MOST_SHOWN);
  const toggle = (option: Option) =>
    choose(isChosen(option) ? chosen.filter((each) => each.value !== option.value) : [...chosen, option]);
  return (
    <Field placed={placed} name={placeholderOf(placed.element, 'Type to search')}>
      {({ id: _, ...connected }) => (
        <fieldset className="choices" {...connected}>
          <input
            value={typed}
            placeholder={placeholderOf(placed.element, 'Type to search')}
            onChange={({ target }) => setTyped(target.value)}
          />
          {[...chosen, ...others].map((option) => (
            <label key={option.value} className="choice">
              <input type="checkbox" checked={isChosen(option)} onChange={() => toggle(option)} />
              {plainText(option.text)}
            </label>
          ))}
        </fieldset>
      )}
    </Field>
  );
}

/** The pause in typing after which the bot is asked, in milliseconds: Slack doesn't ask at each key either. */
const PAUSE_MS = 150;

function useLookup(typed: string | null, look: (typed: string) => Promise<readonly Option[]>) {
  const [options, setOptions] = useState<readonly Option[] | null>(null);
  const ask = useEffectEvent(look);
  useEffect(() => {
    setOptions(null);
    if (typed === null) return;
    let outdated = false;
    const timer = setTimeout(async () => {
      const suggested = await ask(typed);
      if (!outdated) setOptions(suggested);
    }, PAUSE_MS);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [typed]);
  return options;
}

/** A click opens the list, as in Slack. Focus alone doesn't, because a form focuses its first field. */
function SearchInput({ placeholder }: { placeholder: string }): ReactNode {
  const state = useContext(ComboBoxStateContext);
  return <Input placeholder={placeholder} onClick={() => state?.open(null, 'manual')} />;
}

function drawOption({ text, value }: Option): ReactNode {
  const name = plainText(text);
  return (
    <ListBoxItem key={value} id={value ?? name} className="entry" textValue={name}>
      {name}
    </ListBoxItem>
  );
}
