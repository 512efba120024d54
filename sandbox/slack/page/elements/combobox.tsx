import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import type { Option } from '../blocks/objects.ts';
import { plainText } from '../text/text.tsx';
import type { FieldAria, marks } from './placed.ts';
import { useLookup } from './use-lookup.ts';

interface ComboboxProps {
  readonly aria: FieldAria;
  readonly marks: ReturnType<typeof marks>;
  readonly placeholder: string;
  readonly many: boolean;
  readonly chosen: readonly Option[];
  /** How many characters must be typed before anything is looked up. */
  readonly leastTyped: number;
  readonly look: (typed: string) => Promise<readonly Option[]>;
  readonly onChoose: (chosen: readonly Option[]) => void;
}

/** A field that is searched by typing: arrows move, Enter chooses, Escape closes the list. What is chosen can be taken away again. */
export function Combobox(props: ComboboxProps): ReactNode {
  const { many, chosen, leastTyped, onChoose } = props;
  const listId = useId();
  // null while the person is elsewhere: the field then shows what is chosen.
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const options = useLookup(typed !== null && typed.length >= leastTyped ? typed : null, props.look);
  const open = typed !== null && options !== null;

  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    onChoose(many ? [...chosen.filter(({ value }) => value !== option.value), option] : [option]);
    setTyped(many ? '' : null);
    setActive(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter would otherwise submit the form around the field, before the options have come.
    if (event.key === 'Enter') event.preventDefault();
    if (!open) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive(Math.min(Math.max(active + step, 0), options.length - 1));
    else if (event.key === 'Enter') choose(options[active]);
    else if (event.key === 'Escape') setTyped(null);
    else return;
    event.preventDefault();
  };

  return (
    <div className="combobox">
      {many && <Chips chosen={chosen} onChoose={onChoose} />}
      <input
        {...props.aria}
        {...props.marks}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && options.length > 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        placeholder={props.placeholder}
        value={typed ?? (many ? '' : labelOf(chosen[0]))}
        onFocus={() => setTyped('')}
        onBlur={() => setTyped(null)}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {!many && chosen.length > 0 && (
        <button type="button" className="icon" aria-label="Clear" onClick={() => onChoose([])}>
          ✕
        </button>
      )}
      {open && <Listbox {...{ listId, options, active }} onChoose={choose} />}
    </div>
  );
}

function Chips({ chosen, onChoose }: Pick<ComboboxProps, 'chosen' | 'onChoose'>): ReactNode {
  return chosen.map((option) => (
    <span key={option.value} className="chip">
      {labelOf(option)}
      <button
        type="button"
        className="icon"
        aria-label={`Remove ${labelOf(option)}`}
        onClick={() => onChoose(chosen.filter((each) => each !== option))}
      >
        ✕
      </button>
    </span>
  ));
}

interface ListboxProps {
  readonly listId: string;
  readonly options: readonly Option[];
  readonly active: number;
  readonly onChoose: (option: Option) => void;
}

function Listbox({ listId, options, active, onChoose }: ListboxProps): ReactNode {
  return (
    // The field keeps the focus while the list is pressed.
    <div role="listbox" id={listId} tabIndex={-1} onMouseDown={(event) => event.preventDefault()}>
      {options.length === 0 && <p className="quiet">No results</p>}
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          role="option"
          id={`${listId}-${index}`}
          tabIndex={-1}
          aria-selected={index === active}
          onClick={() => onChoose(option)}
        >
          {labelOf(option)}
          {option.description && <small>{plainText(option.description)}</small>}
        </button>
      ))}
    </div>
  );
}

function labelOf(option: Option | undefined): string {
  return option === undefined ? '' : plainText(option.text);
}
