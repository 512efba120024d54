import type { InputBlock, PlainTextOption } from '@slack/types';
import { INPUT_TEXT, MOST_OPTIONS, OPTION_TEXT, OPTION_VALUE, PLACEHOLDER_TEXT } from '../limits.ts';
import { cut, plain } from '../text.ts';

const LABEL_TEXT = 2_000;

/** Its only element has the block's ID, unless said otherwise. */
interface Field {
  readonly blockId: string;
  readonly label: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  readonly isFocused?: boolean;
}

export interface TextInput extends Field {
  readonly placeholder?: string;
  readonly initial?: string;
  /** In characters. */
  readonly longest?: number;
  readonly isMultiline?: boolean;
}

export function textInput(input: TextInput): InputBlock {
  const { blockId, placeholder, initial = '' } = input;
  return {
    ...base(input),
    element: {
      type: 'plain_text_input',
      action_id: blockId,
      multiline: input.isMultiline ?? false,
      ...(input.longest === undefined ? {} : { max_length: input.longest }),
      ...(input.isFocused ? { focus_on_load: true } : {}),
      ...(placeholder === undefined ? {} : { placeholder: plain(placeholder, PLACEHOLDER_TEXT) }),
      ...(initial === '' ? {} : { initial_value: cut(initial, INPUT_TEXT) }),
    },
  };
}

export interface Choice {
  readonly label: string;
  readonly value: string;
}

/** At most ten. */
export function checkboxInput(field: Field, choices: readonly Choice[], ticked: readonly string[]): InputBlock {
  const options = choices.map(optionOf);
  const initial = options.filter(({ value }) => ticked.includes(value ?? ''));
  const chosen = initial.length === 0 ? {} : { initial_options: initial };
  const focus = field.isFocused ? { focus_on_load: true } : {};
  return { ...base(field), element: { type: 'checkboxes', action_id: field.blockId, options, ...chosen, ...focus } };
}

/** More than Slack lists are loaded while the person types, from the route with the block's ID. */
export function severalInput(field: Field, choices: readonly Choice[], chosen: readonly string[]): InputBlock {
  const options = choices.filter(({ value }) => value.length <= OPTION_VALUE).map(optionOf);
  const initial = options.filter(({ value }) => chosen.includes(value ?? ''));
  const some = initial.length === 0 ? {} : { initial_options: initial };
  const element = { action_id: field.blockId, ...some };
  return options.length > MOST_OPTIONS
    ? { ...base(field), element: { type: 'multi_external_select', ...element, ...SEARCHED } }
    : { ...base(field), element: { type: 'multi_static_select', ...element, options } };
}

const SEARCHED = { min_query_length: 0, placeholder: plain('Type to search', PLACEHOLDER_TEXT) };

export function radioInput(field: Field, choices: readonly Choice[], chosen: string): InputBlock {
  const options = choices.map(optionOf);
  const initial = options.find(({ value }) => value === chosen);
  const element = { type: 'radio_buttons', action_id: field.blockId, options } as const;
  return { ...base(field), element: initial === undefined ? element : { ...element, initial_option: initial } };
}

export function personInput(field: Field, chosen: string | null): InputBlock {
  const initial = chosen === null ? {} : { initial_user: chosen };
  return { ...base(field), element: { type: 'users_select', action_id: field.blockId, ...initial } };
}

/** `at` is HH:mm. */
export function timeInput(field: Field, at: string): InputBlock {
  return { ...base(field), element: { type: 'timepicker', action_id: field.blockId, initial_time: at } };
}

/** Loaded while the person types, from the route with the element's ID. */
export function searchInput(
  field: Field & { readonly actionId?: string },
  placeholder: string,
  chosen: PlainTextOption | null,
): InputBlock {
  const initial = chosen === null ? {} : { initial_option: chosen };
  return {
    ...base(field),
    element: {
      type: 'external_select',
      action_id: field.actionId ?? field.blockId,
      min_query_length: 0,
      placeholder: plain(placeholder, PLACEHOLDER_TEXT),
      ...initial,
    },
  };
}

export function optionOf({ label, value }: Choice): PlainTextOption {
  return { text: plain(label, OPTION_TEXT), value };
}

function base({ blockId, label, hint, isOptional = false }: Field): Omit<InputBlock, 'element'> {
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label, LABEL_TEXT),
    optional: isOptional,
    ...(hint === undefined ? {} : { hint: plain(hint, LABEL_TEXT) }),
  };
}
