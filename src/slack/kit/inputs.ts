import type { InputBlock, PlainTextOption } from '@slack/types';
import type { Environment } from '../../lib/environment.ts';
import { type Option, option } from './blocks.ts';
import { cut, plain, present } from './text.ts';

/** Slack's limits: of texts in characters, of a menu in options. */
const LABEL_TEXT = 2_000;
export const INPUT_TEXT = 3_000;
export const PLACEHOLDER_TEXT = 150;
export const MOST_OPTIONS = 100;

/** Blocks of fields that `chosenEnvironment` and `confirmErrors` (filled-form.ts) read. */
export const ENVIRONMENT = 'form.environment';
export const CONFIRM = 'form.typed-confirm';

export interface Field {
  blockId: string;
  label: string;
  hint?: string;
  isOptional?: boolean;
  isFocused?: boolean;
}

function input(field: Field, element: InputBlock['element']): InputBlock {
  const { blockId, label, hint, isOptional: optional = false, isFocused } = field;
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label, LABEL_TEXT),
    optional,
    ...(hint !== undefined && { hint: plain(hint, LABEL_TEXT) }),
    element: { action_id: blockId, ...element, ...(isFocused && { focus_on_load: true }) },
  };
}

interface TextInput extends Field {
  placeholder?: string;
  initial?: string;
  longest?: number;
  isMultiline?: boolean;
}

export function textInput(field: TextInput): InputBlock {
  const { placeholder, initial = '', longest, isMultiline: multiline = false } = field;
  return input(field, {
    type: 'plain_text_input',
    multiline,
    ...(longest !== undefined && { max_length: longest }),
    ...(placeholder !== undefined && { placeholder: plain(placeholder, PLACEHOLDER_TEXT) }),
    ...(initial !== '' && { initial_value: cut(initial, INPUT_TEXT) }),
  });
}

export interface Choice {
  label: string;
  value: string;
}

export function severalInput(
  type: 'checkboxes' | 'multi_static_select',
  field: Field,
  choices: readonly Choice[],
  chosen: readonly string[] = [],
): InputBlock {
  const options = optionsOf(choices, chosen);
  const initial = options.filter(({ value }) => chosen.includes(value));
  return input(field, { type, options, ...(initial.length > 0 && { initial_options: initial }) });
}

/** `choices` mustn't be empty: Slack refuses a select without options. */
export function choiceInput(
  type: 'static_select' | 'radio_buttons',
  field: Field,
  choices: readonly Choice[],
  chosen: string | null | undefined,
): InputBlock {
  const options = optionsOf(choices, [chosen ?? '']);
  const initial = options.find(({ value }) => value === chosen);
  return input(field, { type, options, ...(initial && { initial_option: initial }) });
}

export function personInput(field: Field, chosen: string | null): InputBlock {
  return input(field, { type: 'users_select', ...(chosen !== null && { initial_user: chosen }) });
}

/** A menu of the channels that the person sees. */
export function channelInput(field: Field, chosen: string): InputBlock {
  const filter = { include: ['public' as const, 'private' as const] };
  return input(field, { type: 'conversations_select', filter, initial_conversation: chosen });
}

export function searchInput(
  { actionId, ...field }: Field & { actionId: string },
  chosen: PlainTextOption | null,
): InputBlock {
  return input(field, {
    type: 'external_select',
    action_id: actionId,
    min_query_length: 0,
    placeholder: plain('Type to search; recent ones first', PLACEHOLDER_TEXT),
    ...(chosen && { initial_option: chosen }),
  });
}

/** A menu of what Notif knows. As people type, Slack asks for its options with the block's ID. */
export function severalSearchInput(field: Field, chosen: readonly string[]): InputBlock {
  const initial = present(chosen.map((value) => option(value, value)));
  return input(field, {
    type: 'multi_external_select',
    min_query_length: 0,
    placeholder: plain('Type to search', PLACEHOLDER_TEXT),
    ...(initial.length > 0 && { initial_options: initial }),
  });
}

/** Drops choices beyond Slack's limit, but none that is chosen: saving would lose it. */
function optionsOf(choices: readonly Choice[], chosen: readonly string[]): Option[] {
  const rank = ({ value }: Choice) => (chosen.includes(value) ? 0 : 1);
  const ranked = choices.length > MOST_OPTIONS ? choices.toSorted((a, b) => rank(a) - rank(b)) : choices;
  return present(ranked.slice(0, MOST_OPTIONS).map(({ label, value }) => option(label, value)));
}

export function environmentInput(environments: readonly Environment[], chosen: Environment | undefined): InputBlock[] {
  if (environments.length < 2) return [];
  const choices = environments.map(({ name: value, label }) => ({ value, label }));
  return [choiceInput('static_select', { blockId: ENVIRONMENT, label: 'Environment' }, choices, chosen?.name)];
}

/** With a `preview` of what is sent, that is the label, and the hint says what to type. */
export function typedConfirmInput({ label }: Environment, blockId = CONFIRM, preview?: string): InputBlock {
  return textInput({
    blockId,
    label: preview ?? `Type ${label} to confirm`,
    placeholder: label,
    isFocused: preview !== undefined,
    hint: `A protected environment${preview === undefined ? '' : `: type ${label} to confirm`}.`,
  });
}
