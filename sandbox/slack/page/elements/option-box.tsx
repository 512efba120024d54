import { type ReactNode, useContext, useMemo } from 'react';
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
import type { Option, OptionGroup } from '../blocks/objects.ts';
import { plainText } from '../text/text.tsx';
import { Chosen } from './chosen.tsx';
import { FrameContext, Framed, type useField } from './field.tsx';
import { keyOf } from './options.ts';

interface OptionBoxProps {
  readonly field: ReturnType<typeof useField>;
  readonly placeholder: string;
  readonly many: boolean;
  /** The available options. A group without a label has none shown. */
  readonly groups: readonly OptionGroup[];
  readonly chosen: readonly Option[];
  readonly onChoose: (chosen: readonly Option[]) => void;
  /** For options that were looked up for the typed text, all of which are shown. */
  readonly lookup?: {
    readonly onType: (typed: string) => void;
    readonly onOpen: (isOpen: boolean) => void;
    /** Shown while there are none. */
    readonly note: string;
  };
}

/** A field that is searched by typing: arrow keys move, Enter chooses, Escape closes the list. Choices can be removed. */
export function OptionBox(props: OptionBoxProps): ReactNode {
  if (!props.many) return <SearchBox {...props} />;
  return (
    <div className="several">
      <SearchBox {...props} />
      <Chosen options={props.chosen} onChoose={props.onChoose} />
    </div>
  );
}

function SearchBox({ field, placeholder, many, groups, chosen, onChoose, lookup }: OptionBoxProps): ReactNode {
  const value = useKeys(chosen);
  const isOptional = useContext(FrameContext)?.isOptional === true;
  // Earlier choices can be missing from the results for the current text.
  const known = [...chosen, ...groups.flatMap(({ options }) => options)];
  const choose = (keys: Key | null | readonly Key[]) => {
    // Slack allows an empty choice only in an optional field.
    if (keys === null && !isOptional) return;
    const found = [keys ?? []].flat().map((key) => known.find((option) => keyOf(option) === key));
    onChoose(found.filter((option) => option !== undefined));
  };
  return (
    <ComboBox<object, 'single' | 'multiple'>
      {...field}
      selectionMode={many ? 'multiple' : 'single'}
      value={many ? value : (value[0] ?? null)}
      onChange={choose}
      // If the field is focused from the start, the library doesn't fill it once it knows its options.
      defaultInputValue={many || chosen[0] === undefined ? '' : plainText(chosen[0].text)}
      allowsEmptyCollection
      {...(lookup && { defaultFilter: () => true, onInputChange: lookup.onType, onOpenChange: lookup.onOpen })}
    >
      <Framed>
        <Group className="combobox">
          <SearchInput placeholder={placeholder} />
          {!many && isOptional && chosen.length > 0 && (
            <Button slot={null} className="icon" aria-label="Clear" onPress={() => onChoose([])}>
              ✕
            </Button>
          )}
          <Button className="icon">▾</Button>
        </Group>
      </Framed>
      <Popover className="popover">
        <ListBox renderEmptyState={() => <p className="quiet">{lookup?.note ?? 'No results'}</p>}>
          {groups.map(drawGroup)}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** A click opens the list, as in Slack. Focus alone doesn't, because a form focuses its first field. */
function SearchInput({ placeholder }: { readonly placeholder: string }): ReactNode {
  const state = useContext(ComboBoxStateContext);
  return <Input placeholder={placeholder} onClick={() => state?.open(null, 'manual')} />;
}

function drawGroup({ label, options }: OptionGroup): ReactNode {
  if (label === undefined) return options.map(drawOption);
  return (
    <ListBoxSection key={label.text} id={label.text}>
      <Header>{plainText(label)}</Header>
      {options.map(drawOption)}
    </ListBoxSection>
  );
}

function drawOption(option: Option): ReactNode {
  const name = plainText(option.text);
  return (
    <ListBoxItem key={keyOf(option)} id={keyOf(option)} className="entry" textValue={name}>
      <Text slot="label">{name}</Text>
      {option.description && <Text slot="description">{plainText(option.description)}</Text>}
    </ListBoxItem>
  );
}

/** A character that no key has. */
const separator = '\0';

/** Returns the same array for the same options: the library clears its field when it gets another one. */
function useKeys(chosen: readonly Option[]): readonly string[] {
  const keys = chosen.map(keyOf).join(separator);
  return useMemo(() => (keys === '' ? [] : keys.split(separator)), [keys]);
}
