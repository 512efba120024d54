import { confirmable } from './buttons.ts';
import { focusable, picker } from './selects.ts';
import { type Fields, formatted, integer, list, ref, typed, word } from './shape.ts';

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
