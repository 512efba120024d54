import { type Fields, list, maybeEmpty, oneOf, ref, text, typed } from './shape.ts';
import { plainText } from './text.ts';

export const actionable: Fields = { action_id: text(255) };
export const confirmable: Fields = { ...actionable, confirm: ref('confirm') };

const label: Fields = { text: plainText(75) };
const spoken: Fields = { accessibility_label: maybeEmpty(75) };
const style: Fields = { style: oneOf('primary', 'danger') };
const value = maybeEmpty(2_000);

export const buttons: Fields = {
  button: typed('button', label, { ...confirmable, ...spoken, ...style, value, url: maybeEmpty(3_000) }),
  overflow: typed('overflow', { options: list(ref('overflow_option'), { minItems: 1, maxItems: 5 }) }, confirmable),
};
