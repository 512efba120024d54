import type { Json, StateValues } from '../page-protocol.ts';

export function withEscapes(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Undoes Slack's three escapes, `&` last, so that `&amp;lt;` becomes `&lt;` and not `<`. */
export function withoutEscapes(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** A text field's length unless it has a `max_length` (slack.md, section 1c). */
export const DEFAULT_MAX_LENGTH = 3_000;

/** The number of typed characters from which Slack asks the bot, unless the element says otherwise. */
export const DEFAULT_MIN_QUERY_LENGTH = 3;

interface Shape {
  /** The name of the value in `state.values` and in `actions[0]`. */
  field: string;
  initial: string;
  empty: null | readonly [];
}

const text: Shape = { field: 'value', initial: 'initial_value', empty: null };
const option: Shape = { field: 'selected_option', initial: 'initial_option', empty: null };
const options: Shape = { field: 'selected_options', initial: 'initial_options', empty: [] };

const SHAPES: Readonly<Record<string, Shape>> = {
  plain_text_input: text,
  static_select: option,
  external_select: option,
  radio_buttons: option,
  multi_static_select: options,
  multi_external_select: options,
  checkboxes: options,
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation', empty: null },
  users_select: { field: 'selected_user', initial: 'initial_user', empty: null },
};

export const valueFieldOf = (type: unknown): string | undefined => SHAPES[String(type)]?.field;

export function stateOf(type: string, value: unknown): Json {
  const field = valueFieldOf(type);
  return field === undefined ? { type } : { type, [field]: value };
}

export const valueIn = (state: Json): unknown => state[valueFieldOf(state.type) ?? ''];

export function initialStateOf(element: Json): Json | undefined {
  const shape = SHAPES[String(element.type)];
  return shape === undefined ? undefined : stateOf(String(element.type), element[shape.initial] ?? shape.empty);
}

export function withTyped(
  typed: StateValues,
  { blockId, actionId }: { blockId: string; actionId: string },
  state: Json,
): StateValues {
  return { ...typed, [blockId]: { ...typed[blockId], [actionId]: state } };
}
