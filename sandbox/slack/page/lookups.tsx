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
import { DEFAULT_MIN_QUERY_LENGTH } from '../block-kit/fields.ts';
import { Field, type Placed, placeholderOf, readOptions, useValue } from './field.tsx';
import { useSurface } from './surface.tsx';
import { plainText } from './text/text.tsx';

/** A select whose options the bot suggests while somebody types. */
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
          // The bot has filtered them already.
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

/** The suggestions stand in the form itself, so only the first are shown. */
const MOST_SHOWN = 8;

/** The same for several options: those that are chosen stay, with suggestions after them. */
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

/** Returns what the bot suggests for a text, and null until it has answered, or without a text. */
function useLookup(
  typed: string | null,
  look: (typed: string) => Promise<readonly Option[]>,
): readonly Option[] | null {
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
