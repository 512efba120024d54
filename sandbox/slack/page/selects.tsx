import type { Option, OptionGroup } from '@slack/types';
import { type ReactNode, useContext, useEffect, useEffectEvent, useMemo, useState } from 'react';
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  Group,
  Header,
  Input,
  type Key,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  Text,
} from 'react-aria-components';
import { z } from 'zod';
import { Field, FrameContext, type Placed, placeholderOf, useValue } from './field.tsx';
import { useSurface } from './surface.tsx';
import { plainText } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

const option = z.custom<Option>((json) => typeof json === 'object' && json !== null);

export function readOptions(value: unknown): Option[] {
  return [value].flat().flatMap((each) => option.safeParse(each).data ?? []);
}

export function ListSelect(placed: Placed<'static_select' | 'multi_static_select'>): ReactNode {
  const { element } = placed;
  const [value, choose] = useValue(placed);
  const many = element.type === 'multi_static_select';
  return (
    <OptionBox
      placed={placed}
      placeholder={placeholderOf(element, many ? 'Choose options' : 'Choose an option')}
      many={many}
      groups={element.option_groups ?? [{ options: element.options ?? [] }]}
      chosen={readOptions(value)}
      onChoose={(chosen) => choose(many ? chosen : (chosen[0] ?? null))}
    />
  );
}

/** A select of a person. Its state has an ID, not an option. */
export function PeopleSelect(placed: Placed<'users_select'>): ReactNode {
  const { people } = useWorkspace().snapshot;
  const [value, choose] = useValue(placed);
  const options = people.map(
    ({ id, name }): Option => ({ text: { type: 'plain_text', text: name, emoji: false }, value: id }),
  );
  return (
    <OptionBox
      placed={placed}
      placeholder={placeholderOf(placed.element, 'Choose people')}
      many={false}
      groups={[{ options }]}
      chosen={options.filter((each) => each.value === value)}
      onChoose={(chosen) => choose(chosen[0]?.value ?? null)}
    />
  );
}

/** The number of typed characters from which Slack asks the bot, unless the element says otherwise. */
const slacksMinQueryLength = 3;

/** A select, for one or several, with the bot's options for what is being typed. */
export function LookupSelect(placed: Placed<'external_select' | 'multi_external_select'>): ReactNode {
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
  const waiting = query.length >= least ? 'Asking the app …' : `Type ${least} characters or more to search.`;
  return (
    <OptionBox
      placed={placed}
      placeholder={placeholderOf(element, 'Type to search')}
      many={many}
      groups={[{ options: found ?? (many ? [] : chosen) }]}
      chosen={chosen}
      onChoose={(now) => choose(many ? now : (now[0] ?? null))}
      lookup={{ onType: setTyped, onOpen: setOpen, note: found === null ? waiting : 'No results' }}
    />
  );
}

/** The pause in typing after which the bot is asked, in milliseconds: Slack doesn't ask at each key either. */
const pause = 150;

/** Looks up options for the typed text, or null for not now. Returns the newest query's answer, or null while there is none. */
function useLookup(typed: string | null, look: (typed: string) => Promise<readonly Option[]>) {
  const [options, setOptions] = useState<readonly Option[] | null>(null);
  const ask = useEffectEvent(look);
  useEffect(() => {
    setOptions(null);
    if (typed === null) return;
    let outdated = false;
    const timer = setTimeout(async () => {
      const found = await ask(typed);
      if (!outdated) setOptions(found);
    }, pause);
    return () => {
      outdated = true;
      clearTimeout(timer);
    };
  }, [typed]);
  return options;
}

interface OptionBoxProps {
  readonly placed: Pick<Placed, 'element' | 'spot'>;
  readonly placeholder: string;
  readonly many: boolean;
  /** The available options. A group without a label has none shown. */
  readonly groups: readonly { readonly label?: OptionGroup['label']; readonly options: readonly Option[] }[];
  readonly chosen: readonly Option[];
  readonly onChoose: (chosen: readonly Option[]) => void;
  /** For options that were looked up for the typed text, all of which are shown. */
  readonly lookup?: {
    readonly onType: (typed: string) => void;
    readonly onOpen: (isOpen: boolean) => void;
    readonly note: string;
  };
}

/** A field that is searched by typing: arrow keys move, Enter chooses, Escape closes the list. Choices can be removed. */
function OptionBox({ placed, placeholder, many, groups, chosen, onChoose, lookup }: OptionBoxProps): ReactNode {
  const value = useKeys(chosen);
  const isOptional = useContext(FrameContext)?.optional === true;
  // Earlier choices can be missing from the results for the current text.
  const known = [...chosen, ...groups.flatMap(({ options }) => options)];
  const choose = (keys: Key | null | readonly Key[]) => {
    // Slack allows an empty choice only in an optional field.
    if (keys === null && !isOptional) return;
    const found = [keys ?? []].flat().map((key) => known.find((each) => each.value === key));
    onChoose(found.filter((each) => each !== undefined));
  };
  return (
    <Field placed={placed} name={placeholder}>
      {(connected) => (
        <>
          <ComboBox<object, 'single' | 'multiple'>
            {...connected}
            selectionMode={many ? 'multiple' : 'single'}
            value={many ? value : (value[0] ?? null)}
            onChange={choose}
            // If the field is focused from the start, the library doesn't fill it once it knows its options.
            defaultInputValue={many || chosen[0] === undefined ? '' : plainText(chosen[0].text)}
            allowsEmptyCollection
            {...(lookup && { defaultFilter: () => true, onInputChange: lookup.onType, onOpenChange: lookup.onOpen })}
          >
            <Group className="combobox">
              <SearchInput placeholder={placeholder} />
              {!many && isOptional && chosen.length > 0 && (
                <button type="button" className="icon" aria-label="Clear" onClick={() => onChoose([])}>
                  ✕
                </button>
              )}
              <Button className="icon">▾</Button>
            </Group>
            <Popover className="popover">
              <ListBox renderEmptyState={() => <p className="quiet">{lookup?.note ?? 'No results'}</p>}>
                {groups.map(({ label, options }) =>
                  label === undefined ? (
                    options.map(drawOption)
                  ) : (
                    <ListBoxSection key={label.text} id={label.text}>
                      <Header>{plainText(label)}</Header>
                      {options.map(drawOption)}
                    </ListBoxSection>
                  ),
                )}
              </ListBox>
            </Popover>
          </ComboBox>
          {many && chosen.length > 0 && (
            <ul className="chips" aria-label="Chosen">
              {chosen.map((each) => (
                <li key={each.value} className="chip">
                  {plainText(each.text)}
                  <button
                    type="button"
                    className="icon"
                    aria-label={`Remove ${plainText(each.text)}`}
                    onClick={() => onChoose(chosen.filter((other) => other !== each))}
                  >
                    ✕
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}

/** A click opens the list, as in Slack. Focus alone doesn't, because a form focuses its first field. */
function SearchInput({ placeholder }: { readonly placeholder: string }): ReactNode {
  const state = useContext(ComboBoxStateContext);
  return <Input placeholder={placeholder} onClick={() => state?.open(null, 'manual')} />;
}

function drawOption({ text, value, description }: Option): ReactNode {
  const name = plainText(text);
  return (
    <ListBoxItem key={value} id={value ?? name} className="entry" textValue={name}>
      <Text slot="label">{name}</Text>
      {description && <Text slot="description">{plainText(description)}</Text>}
    </ListBoxItem>
  );
}

/** A character that no key has. */
const separator = '\0';

/** Returns the same array for the same options: the library clears its field when it gets another one. */
function useKeys(chosen: readonly Option[]): readonly string[] {
  const keys = chosen.map(({ value }) => value).join(separator);
  return useMemo(() => (keys === '' ? [] : keys.split(separator)), [keys]);
}
