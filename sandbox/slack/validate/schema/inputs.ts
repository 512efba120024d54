import { actionable, confirmable } from './buttons.ts';
import { focusable, picker, placeholder } from './selects.ts';
import {
  boolean,
  type Fields,
  formatted,
  integer,
  list,
  maybeEmpty,
  onlyOneOf,
  ref,
  text,
  typed,
  word,
} from './shape.ts';

const chosen: Fields = { ...confirmable, ...focusable };
const choices = list(ref('choice_option'), { minItems: 1, maxItems: 10 });

export const boxes: Fields = {
  checkboxes: typed('checkboxes', { options: choices }, { ...chosen, initial_options: choices }),
  radio_buttons: typed('radio_buttons', { options: choices }, { ...chosen, initial_option: ref('choice_option') }),
};

export const pickers: Fields = {
  datepicker: typed('datepicker', {}, { ...picker, initial_date: formatted('date (YYYY-MM-DD)') }),
  timepicker: typed('timepicker', {}, { ...picker, initial_time: formatted('time (HH:mm)'), timezone: word }),
  datetimepicker: typed('datetimepicker', {}, { ...chosen, initial_date_time: integer(1_000_000_000, 9_999_999_999) }),
};

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

/** The fields that the image block and the image element share. */
export const imageFields: Fields = { alt_text: text(2_000) };
export const imageSource: Fields = { image_url: text(3_000), slack_file: ref('slack_file') };
export const oneImageSource = onlyOneOf('image_url', 'slack_file');

export const pictures: Fields = { image_element: typed('image', imageFields, imageSource, oneImageSource) };
