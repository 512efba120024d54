import { imageFields, imageSource, oneImageSource } from './images.ts';
import { boolean, type Fields, integer, list, ref, someOf, text, typed } from './shape.ts';
import { anyText, plainText } from './text.ts';

export const identified: Fields = { block_id: text(255) };

const input = typed(
  'input',
  { label: plainText(2_000), element: ref('input_element') },
  { ...identified, hint: plainText(2_000), optional: boolean, dispatch_action: boolean },
);

/** The blocks that messages, modals and Home tabs all accept. */
export const basicBlocks: Fields = {
  section: typed(
    'section',
    {},
    {
      ...identified,
      text: anyText(3_000),
      fields: list(anyText(2_000), { minItems: 1, maxItems: 10 }),
      accessory: ref('accessory'),
      expand: boolean,
    },
    someOf('text', 'fields'),
  ),
  header: typed('header', { text: plainText(150) }, { ...identified, level: integer(1, 4) }),
  context: typed('context', { elements: list(ref('context_element'), { minItems: 1, maxItems: 10 }) }, identified),
  divider: typed('divider', {}, identified),
  actions: typed('actions', { elements: list(ref('action'), { minItems: 1, maxItems: 25 }) }, identified),
  input,
  image: typed('image', imageFields, { ...identified, ...imageSource, title: plainText(2_000) }, oneImageSource),
};
