import type { Json, StateValues } from '../page-protocol.ts';

/** How an element's value is called in `state.values`, where its first value comes from, and what it is before anything is chosen. */
const stateful: Readonly<Record<string, { readonly key: string; readonly initial: string; readonly empty: unknown }>> =
  {
    plain_text_input: { key: 'value', initial: 'initial_value', empty: null },
    number_input: { key: 'value', initial: 'initial_value', empty: null },
    email_text_input: { key: 'value', initial: 'initial_value', empty: null },
    url_text_input: { key: 'value', initial: 'initial_value', empty: null },
    static_select: { key: 'selected_option', initial: 'initial_option', empty: null },
    external_select: { key: 'selected_option', initial: 'initial_option', empty: null },
    radio_buttons: { key: 'selected_option', initial: 'initial_option', empty: null },
    multi_static_select: { key: 'selected_options', initial: 'initial_options', empty: [] },
    multi_external_select: { key: 'selected_options', initial: 'initial_options', empty: [] },
    checkboxes: { key: 'selected_options', initial: 'initial_options', empty: [] },
    users_select: { key: 'selected_user', initial: 'initial_user', empty: null },
    channels_select: { key: 'selected_channel', initial: 'initial_channel', empty: null },
    conversations_select: { key: 'selected_conversation', initial: 'initial_conversation', empty: null },
    multi_users_select: { key: 'selected_users', initial: 'initial_users', empty: [] },
    multi_channels_select: { key: 'selected_channels', initial: 'initial_channels', empty: [] },
    multi_conversations_select: { key: 'selected_conversations', initial: 'initial_conversations', empty: [] },
    datepicker: { key: 'selected_date', initial: 'initial_date', empty: null },
    timepicker: { key: 'selected_time', initial: 'initial_time', empty: null },
    datetimepicker: { key: 'selected_date_time', initial: 'initial_date_time', empty: null },
  };

/** What an element's state looks like with this value, as in `actions[0]` and `state.values`. */
export function stateOf(type: string, value: unknown): Json {
  const shape = stateful[type];
  return shape === undefined ? { type } : { type, [shape.key]: value };
}

/** The value in an element's state; undefined for an element that has none, such as a button. */
export function valueIn(state: Json | undefined): unknown {
  const shape = stateful[String(state?.type)];
  return shape === undefined ? undefined : state?.[shape.key];
}

/**
 * The `state.values` of a surface: every element that can hold a value, with what the person typed or, before that, its initial value.
 * What was typed into a block that is no longer there is left out, as Slack does when a view is updated.
 */
export function collectState(blocks: readonly Json[], typed: StateValues): StateValues {
  const values: Record<string, Record<string, Json>> = {};
  for (const block of blocks) {
    for (const element of elementsOf(block)) {
      const initial = initialState(element);
      if (initial === null) continue;
      const [blockId, actionId] = [String(block.block_id), String(element.action_id)];
      values[blockId] = { ...values[blockId], [actionId]: typed[blockId]?.[actionId] ?? initial };
    }
  }
  return values;
}

/** What Slack's own client says before it sends a submission: block_id -> sentence. Empty when there is nothing to mend. */
export function findUnfinished(blocks: readonly Json[], state: StateValues): Readonly<Record<string, string>> {
  const inputs = blocks.filter((block) => block.type === 'input');
  return Object.fromEntries(
    inputs.flatMap((block) => {
      const problem = problemOf(block, state);
      return problem === null ? [] : [[String(block.block_id), problem]];
    }),
  );
}

function problemOf(block: Json, state: StateValues): string | null {
  const [element] = elementsOf(block);
  const value = valueIn(state[String(block.block_id)]?.[String(element?.action_id)]);
  if (isEmpty(value)) return block.optional === true ? null : 'Please complete this required field.';
  const least = Number(element?.min_length ?? 0);
  if (typeof value === 'string' && value.length < least) return `Please enter at least ${least} characters.`;
  if (element?.type === 'number_input' && Number.isNaN(Number(value))) return 'Please enter a number.';
  return null;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function elementsOf(block: Json): Json[] {
  const listed = block.type === 'actions' && Array.isArray(block.elements) ? block.elements : [];
  return [block.element, block.accessory, ...listed].filter(isJson);
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function initialState(element: Json): Json | null {
  const type = String(element.type);
  const shape = stateful[type];
  return shape === undefined ? null : stateOf(type, element[shape.initial] ?? shape.empty);
}
