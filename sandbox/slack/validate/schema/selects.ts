import { confirmable } from './buttons.ts';
import { optionGroups, options } from './objects.ts';
import { boolean, type Fields, integer, list, onlyOneOf, ref, typed, word } from './shape.ts';
import { plainText } from './text.ts';

export const focusable: Fields = { focus_on_load: boolean };
export const placeholder: Fields = { placeholder: plainText(150) };
export const picker: Fields = { ...confirmable, ...focusable, ...placeholder };

const many: Fields = { ...picker, max_selected_items: integer(1) };
const listed: Fields = { options, option_groups: optionGroups };
const asked: Fields = { min_query_length: integer(0) };
const one: Fields = { initial_option: ref('option') };
const several: Fields = { initial_options: list(ref('option'), { minItems: 1, maxItems: 100 }) };
const ids = list(word);
const answering: Fields = { response_url_enabled: boolean };
const filtered: Fields = { default_to_current_conversation: boolean, filter: ref('conversation_filter') };

const select = (type: string, optional: Fields) => typed(type, {}, { ...picker, ...optional });
const multiSelect = (type: string, optional: Fields) => typed(type, {}, { ...many, ...optional });
const oneList = onlyOneOf('options', 'option_groups');

export const selects: Fields = {
  static_select: typed('static_select', {}, { ...picker, ...listed, ...one }, oneList),
  multi_static_select: typed('multi_static_select', {}, { ...many, ...listed, ...several }, oneList),
  external_select: select('external_select', { ...asked, ...one }),
  multi_external_select: multiSelect('multi_external_select', { ...asked, ...several }),
  users_select: select('users_select', { initial_user: word }),
  multi_users_select: multiSelect('multi_users_select', { initial_users: ids }),
  channels_select: select('channels_select', { ...answering, initial_channel: word }),
  multi_channels_select: multiSelect('multi_channels_select', { initial_channels: ids }),
  conversations_select: select('conversations_select', { ...answering, ...filtered, initial_conversation: word }),
  multi_conversations_select: multiSelect('multi_conversations_select', { ...filtered, initial_conversations: ids }),
};
