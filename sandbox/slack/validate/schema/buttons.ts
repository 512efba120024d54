import { type Fields, list, maybeEmpty, object, oneOf, ref, text, typed, word } from './shape.ts';
import { plainText } from './text.ts';

export const actionable: Fields = { action_id: text(255) };
export const confirmable: Fields = { ...actionable, confirm: ref('confirm') };

const label: Fields = { text: plainText(75) };
const spoken: Fields = { accessibility_label: maybeEmpty(75) };
const style: Fields = { style: oneOf('primary', 'danger') };
const value = maybeEmpty(2_000);

const opinion = object({ ...label, value }, spoken);

export const buttons: Fields = {
  button: typed('button', label, { ...confirmable, ...spoken, ...style, value, url: maybeEmpty(3_000) }),
  workflow_button: typed(
    'workflow_button',
    { ...label, workflow: ref('workflow') },
    { ...confirmable, ...spoken, ...style },
  ),
  overflow: typed('overflow', { options: list(ref('overflow_option'), { minItems: 1, maxItems: 5 }) }, confirmable),
  icon_button: typed(
    'icon_button',
    { ...label, icon: oneOf('trash') },
    { ...confirmable, ...spoken, value, visible_to_user_ids: list(word) },
  ),
  feedback_buttons: typed('feedback_buttons', { positive_button: opinion, negative_button: opinion }, actionable),
};
