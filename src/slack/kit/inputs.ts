import type { InputBlock, PlainTextOption } from '@slack/types';
import { type Environment, environmentNamed } from '../../lib/environment.ts';
import { InputError, withExample } from '../../lib/errors.ts';
import { option } from './blocks.ts';
import { cut, plain, present } from './text.ts';

const LABEL_TEXT = 2_000;
export const INPUT_TEXT = 3_000;
export const PLACEHOLDER_TEXT = 150;
export const MOST_OPTIONS = 100;

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

/** Slack refuses a select without choices. */
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

/** Of the channels that the person sees. */
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

/** A menu of what Notif knows, whose options are asked for by its block's ID as it is typed in. */
export function severalSearchInput(field: Field, chosen: readonly string[]): InputBlock {
  const initial = present(chosen.map((value) => option(value, value)));
  return input(field, {
    type: 'multi_external_select',
    min_query_length: 0,
    placeholder: plain('Type to search', PLACEHOLDER_TEXT),
    ...(initial.length > 0 && { initial_options: initial }),
  });
}

/** Of too many choices, keeps the chosen ones, which saving would lose. */
function optionsOf(choices: readonly Choice[], chosen: readonly string[]) {
  const rank = ({ value }: Choice) => (chosen.includes(value) ? 0 : 1);
  const ranked = choices.length > MOST_OPTIONS ? choices.toSorted((a, b) => rank(a) - rank(b)) : choices;
  return present(ranked.slice(0, MOST_OPTIONS).map(({ label, value }) => option(label, value)));
}

export interface FilledForm {
  blockIds: readonly string[];
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

export type FormErrors = { [blockId: string]: string };

interface FormReader {
  /** Notes an error at the field, and returns the fallback, if its text can't be read. */
  field: <T>(blockId: string, read: (text: string) => T, fallback: T) => T;
  errors: FormErrors;
  hasErrors: () => boolean;
}

export function readForm({ valueIn }: FilledForm): FormReader {
  const errors: FormErrors = {};
  const field = <T>(blockId: string, read: (text: string) => T, fallback: T): T => {
    try {
      return read(valueIn(blockId) ?? '');
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      errors[blockId] = withExample(error);
      return fallback;
    }
  };
  return { field, errors, hasErrors: () => Object.keys(errors).length > 0 };
}

export const ENVIRONMENT = 'form.environment';

export function environmentInput(environments: readonly Environment[], chosen: Environment | undefined): InputBlock[] {
  if (environments.length < 2) return [];
  const choices = environments.map(({ name: value, label }) => ({ value, label }));
  return [choiceInput('static_select', { blockId: ENVIRONMENT, label: 'Environment' }, choices, chosen?.name)];
}

export function chosenEnvironment({ valueIn }: FilledForm, environments: readonly Environment[]): Environment {
  return environmentNamed(valueIn(ENVIRONMENT) ?? undefined, environments);
}

const CONFIRM = 'form.typed-confirm';

/** A `preview` is the label: the hint then says what to type, and people see first what is sent. */
export function typedConfirmInput({ label }: Environment, blockId = CONFIRM, preview?: string): InputBlock {
  return textInput({
    blockId,
    label: preview ?? `Type ${label} to confirm`,
    placeholder: label,
    isFocused: preview !== undefined,
    hint: `A protected environment${preview === undefined ? '' : `: type ${label} to confirm`}.`,
  });
}

export function confirmErrors(
  { name, label, isProtected }: Environment,
  valueIn: FilledForm['valueIn'],
  blockId = CONFIRM,
): FormErrors | null {
  const typed = (valueIn(blockId) ?? '').trim().toLowerCase();
  if (!isProtected || [name, label].some((text) => text.toLowerCase() === typed)) return null;
  return { [blockId]: `Type ${label} to confirm.` };
}
