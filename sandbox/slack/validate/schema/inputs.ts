import { actionable } from './buttons.ts';
import { focusable, placeholder } from './selects.ts';
import { boolean, type Fields, integer, maybeEmpty, ref, typed } from './shape.ts';

const entered: Fields = {
  ...actionable,
  ...focusable,
  ...placeholder,
  dispatch_action_config: ref('dispatch_action_config'),
};
const LONGEST = 3_000;

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
};
