import type { Json } from '../page-protocol.ts';

interface Shape {
  /** What the value is called in `state.values` and in `actions[0]`. */
  readonly field: string;
  /** The field of the element with its first value. */
  readonly initial: string;
  /** The value before anything is chosen. */
  readonly empty: null | readonly [];
}

const text: Shape = { field: 'value', initial: 'initial_value', empty: null };
const option: Shape = { field: 'selected_option', initial: 'initial_option', empty: null };
const options: Shape = { field: 'selected_options', initial: 'initial_options', empty: [] };

/** Every element type that holds a value; buttons and menus hold none. */
const SHAPES: Readonly<Record<string, Shape>> = {
  plain_text_input: text,
  number_input: text,
  email_text_input: text,
  url_text_input: text,
  rich_text_input: { field: 'rich_text_value', initial: 'initial_value', empty: null },
  file_input: { field: 'files', initial: 'initial_files', empty: [] },
  static_select: option,
  external_select: option,
  radio_buttons: option,
  multi_static_select: options,
  multi_external_select: options,
  checkboxes: options,
  users_select: { field: 'selected_user', initial: 'initial_user', empty: null },
  channels_select: { field: 'selected_channel', initial: 'initial_channel', empty: null },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation', empty: null },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', empty: [] },
  multi_channels_select: { field: 'selected_channels', initial: 'initial_channels', empty: [] },
  multi_conversations_select: { field: 'selected_conversations', initial: 'initial_conversations', empty: [] },
  datepicker: { field: 'selected_date', initial: 'initial_date', empty: null },
  timepicker: { field: 'selected_time', initial: 'initial_time', empty: null },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time', empty: null },
};

/** The name of the field that holds the value of an element of this type; undefined for one that holds none, such as a button. */
export function valueFieldOf(type: unknown): string | undefined {
  return SHAPES[String(type)]?.field;
}

/** An element's entry in `state.values` with this value; without a value where its type holds none. */
export function stateOf(type: string, value: unknown): Json {
  const field = valueFieldOf(type);
  return field === undefined ? { type } : { type, [field]: value };
}

/** The value in an element's entry in `state.values`. */
export function valueIn(state: Json): unknown {
  return state[valueFieldOf(state.type) ?? ''];
}

/** An element's entry before anybody has touched it: its initial value, else empty. Undefined for one that holds no value. */
export function initialStateOf(element: Json): Json | undefined {
  const shape = SHAPES[String(element.type)];
  return shape === undefined ? undefined : stateOf(String(element.type), element[shape.initial] ?? shape.empty);
}
