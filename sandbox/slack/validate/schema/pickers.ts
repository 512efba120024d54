import { confirmable } from './buttons.ts';
import { focusable, picker } from './selects.ts';
import { type Fields, formatted, list, ref, typed, word } from './shape.ts';

const chosen: Fields = { ...confirmable, ...focusable };
const choices = list(ref('choice_option'), { minItems: 1, maxItems: 10 });

export const boxes: Fields = {
  checkboxes: typed('checkboxes', { options: choices }, { ...chosen, initial_options: choices }),
  radio_buttons: typed('radio_buttons', { options: choices }, { ...chosen, initial_option: ref('choice_option') }),
};

export const pickers: Fields = {
  timepicker: typed('timepicker', {}, { ...picker, initial_time: formatted('time (HH:mm)'), timezone: word }),
};
