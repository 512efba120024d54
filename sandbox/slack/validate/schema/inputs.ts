import { actionable } from './buttons.ts';
import { focusable, placeholder } from './selects.ts';
import { boolean, type Fields, formatted, integer, list, maybeEmpty, ref, typed, word } from './shape.ts';

const entered: Fields = {
  ...actionable,
  ...focusable,
  ...placeholder,
  dispatch_action_config: ref('dispatch_action_config'),
};
const LONGEST = 3_000;
const lines = integer(1, 100);
const decimal = formatted('number');

export const typedInputs: Fields = {
  plain_text_input: typed(
    'plain_text_input',
    {},
    {
      ...entered,
      initial_value: maybeEmpty(LONGEST),
      multiline: boolean,
      min_length: integer(0, LONGEST),
      max_length: integer(1, LONGEST),
    },
  ),
  email_text_input: typed('email_text_input', {}, { ...entered, initial_value: maybeEmpty(LONGEST) }),
  url_text_input: typed('url_text_input', {}, { ...entered, initial_value: maybeEmpty(LONGEST) }),
  number_input: typed(
    'number_input',
    { is_decimal_allowed: boolean },
    { ...entered, initial_value: decimal, min_value: decimal, max_value: decimal },
  ),
  rich_text_input: typed(
    'rich_text_input',
    {},
    { ...entered, initial_value: ref('rich_text'), min_lines: lines, max_lines: lines },
  ),
};

export const fileInput: Fields = {
  file_input: typed('file_input', {}, { ...actionable, filetypes: list(word), max_files: integer(1, 10) }),
};
