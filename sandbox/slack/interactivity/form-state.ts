import { controlsIn } from '../block-kit/controls.ts';
import { stringIn } from '../json.ts';
import type { Json, StateValues } from '../page-protocol.ts';
import { complaintAbout } from './complaints.ts';

/** Which field of `state.values` each element type fills, and from which initial field. */
const VALUE_FIELDS: Readonly<
  Record<string, { readonly field: string; readonly initial: string; readonly empty: unknown }>
> = {
  plain_text_input: { field: 'value', initial: 'initial_value', empty: null },
  email_text_input: { field: 'value', initial: 'initial_value', empty: null },
  url_text_input: { field: 'value', initial: 'initial_value', empty: null },
  number_input: { field: 'value', initial: 'initial_value', empty: null },
  static_select: { field: 'selected_option', initial: 'initial_option', empty: null },
  external_select: { field: 'selected_option', initial: 'initial_option', empty: null },
  radio_buttons: { field: 'selected_option', initial: 'initial_option', empty: null },
  checkboxes: { field: 'selected_options', initial: 'initial_options', empty: [] },
  multi_static_select: { field: 'selected_options', initial: 'initial_options', empty: [] },
  multi_external_select: { field: 'selected_options', initial: 'initial_options', empty: [] },
  users_select: { field: 'selected_user', initial: 'initial_user', empty: null },
  multi_users_select: { field: 'selected_users', initial: 'initial_users', empty: [] },
  channels_select: { field: 'selected_channel', initial: 'initial_channel', empty: null },
  multi_channels_select: { field: 'selected_channels', initial: 'initial_channels', empty: [] },
  conversations_select: { field: 'selected_conversation', initial: 'initial_conversation', empty: null },
  multi_conversations_select: { field: 'selected_conversations', initial: 'initial_conversations', empty: [] },
  datepicker: { field: 'selected_date', initial: 'initial_date', empty: null },
  timepicker: { field: 'selected_time', initial: 'initial_time', empty: null },
  datetimepicker: { field: 'selected_date_time', initial: 'initial_date_time', empty: null },
};

/** The name of the field that holds an element's value in `state.values`; undefined for buttons and overflow menus. */
export function valueFieldOf(element: Json): string | undefined {
  return VALUE_FIELDS[stringIn(element, 'type') ?? '']?.field;
}

/** Slack's `state.values` of the blocks: what was typed, else the initial value, else empty. Strangers in `typed` are left out. */
export function completeState(blocks: readonly Json[], typed: StateValues): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const { blockId, actionId, element } of controlsIn(blocks)) {
    const initial = initialValue(element);
    if (initial === undefined) continue;
    values[blockId] = { ...values[blockId], [actionId]: typed[blockId]?.[actionId] ?? initial };
  }
  return values;
}

/** What Slack's client refuses before the bot is asked, such as empty required fields; by block_id. */
export function incompleteFields(blocks: readonly Json[], values: StateValues): Readonly<Record<string, string>> {
  const inputs = controlsIn(blocks).filter(({ block }) => block.type === 'input');
  const problems = inputs.map(({ blockId, actionId, block, element }) => {
    const value = values[blockId]?.[actionId]?.[valueFieldOf(element) ?? ''];
    return [blockId, complaintAbout(block, element, value)] as const;
  });
  return Object.fromEntries(problems.filter(([, complaint]) => complaint !== ''));
}

/** Undefined for what holds no value, such as a button. */
function initialValue(element: Json): Json | undefined {
  const fields = VALUE_FIELDS[stringIn(element, 'type') ?? ''];
  if (fields === undefined) return undefined;
  return { type: element.type, [fields.field]: element[fields.initial] ?? fields.empty };
}
