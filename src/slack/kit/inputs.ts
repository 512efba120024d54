import type { InputBlock, PlainTextOption } from '@slack/types';
import type { Environment } from '../../lib/environment.ts';
import { InputError, withExample } from '../../lib/errors.ts';
import { fold } from '../../lib/fold.ts';
import { MUTE_LENGTHS, type MuteLength } from '../../watches/mute-words.ts';
import { INPUT_TEXT, MOST_OPTIONS, OPTION_TEXT, OPTION_VALUE, PLACEHOLDER_TEXT } from './limits.ts';
import { cut, plain } from './text.ts';

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

function radioInput(field: Field, choices: readonly Choice[], chosen: string): InputBlock {
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

export interface FilledForm {
  readonly blockIds: readonly string[];
  /** Text, the chosen option's value, a person's ID, or a time as HH:mm. Null if it's empty. */
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

export type FormErrors = { readonly [blockId: string]: string };

/** Adds an error to `errors` and then returns `instead`. */
export function parseField<T>(
  blockId: string,
  filled: FilledForm,
  { read, instead, errors }: { read: (text: string) => T; instead: T; errors: Record<string, string> },
): T {
  try {
    return read(filled.valueIn(blockId) ?? '');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    errors[blockId] = withExample(error);
    return instead;
  }
}

/** The ID of both the block and its element. */
export const ENVIRONMENT = 'form.environment';

/**
 * Empty if there is only one. More than Slack lists are loaded while the person types, from the route with the block's
 * ID. `dispatches`: Slack sends a choice to Notif at once; `waits`: with the submission.
 */
export function environmentInput(
  environments: readonly Environment[],
  chosen: Environment | undefined,
  hears: 'dispatches' | 'waits',
): InputBlock[] {
  if (environments.length < 2) return [];
  const options = environments.map(environmentOption);
  const initial = options.find((option) => option.value === chosen?.name);
  const element = { action_id: ENVIRONMENT, ...(initial && { initial_option: initial }) };
  return [
    {
      ...base({ blockId: ENVIRONMENT, label: 'Environment' }),
      dispatch_action: hears === 'dispatches',
      element:
        options.length > MOST_OPTIONS
          ? { type: 'external_select', min_query_length: 0, ...element }
          : { type: 'static_select', options, ...element },
    },
  ];
}

export function environmentOptions(environments: readonly Environment[], typed: string): PlainTextOption[] {
  const wanted = fold(typed.trim());
  const found = environments.filter(({ name, label }) => [name, label].some((text) => fold(text).includes(wanted)));
  return found.slice(0, MOST_OPTIONS).map(environmentOption);
}

function environmentOption({ name, label }: Environment): PlainTextOption {
  return optionOf({ label, value: name });
}

export function parseEnvironmentInput(
  valueIn: (blockId: string) => string | null,
  environments: readonly Environment[],
): string {
  return valueIn(ENVIRONMENT) ?? environments[0]?.name ?? '';
}

const LABELS: { readonly [Length in Exclude<MuteLength, 'morning'>]: string } = {
  '30m': '30 minutes',
  '1h': 'An hour',
  '4h': '4 hours',
  '1d': 'A day',
  '1w': 'A week',
};

/** Always with an end. `morning` words the person's next 09:00. */
export function muteLengthInput(blockId: string, morning: string): InputBlock {
  const field = { blockId, label: 'For how long', hint: "You'll get what you missed at the end." };
  const labels = { ...LABELS, morning };
  const lengths = Object.keys(MUTE_LENGTHS).map((value) => ({ value, label: labels[value as MuteLength] }));
  return radioInput(field, lengths, '1h');
}

const CONFIRM = 'form.typed-confirm';

export function typedConfirmInput({ label }: Environment, field: Partial<TextInput> = {}): InputBlock {
  return textInput({
    blockId: CONFIRM,
    label: `Type ${label} to confirm`,
    hint: `${label} is a protected environment.`,
    placeholder: label,
    ...field,
  });
}

/** By block. Empty if it's correct or not required. */
export function confirmErrors(
  { name, label, isProtected }: Environment,
  valueIn: FilledForm['valueIn'],
  blockId = CONFIRM,
): FormErrors {
  const typed = (valueIn(blockId) ?? '').trim().toLowerCase();
  if (!isProtected || typed === label.toLowerCase() || typed === name.toLowerCase()) return {};
  return { [blockId]: `This is not ${label}. Type it exactly as in the label.` };
}
