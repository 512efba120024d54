import { imageFields, imageSource, oneImageSource } from './images.ts';
import { boolean, type Fields, formatted, integer, list, maybeEmpty, ref, someOf, text, typed, word } from './shape.ts';
import { anyText, plainText } from './text.ts';

export const identified: Fields = { block_id: text(255) };

const input = (element: string) =>
  typed(
    'input',
    { label: plainText(2_000), element: ref(element) },
    { ...identified, hint: plainText(2_000), optional: boolean, dispatch_action: boolean },
  );

/** Slack's pages say 'must be less than' for the title and the author, so 200 and 50 are too long. */
const video = typed(
  'video',
  { title: plainText(199), video_url: formatted('https URL'), thumbnail_url: text(3_000), alt_text: word },
  {
    ...identified,
    title_url: formatted('https URL'),
    author_name: maybeEmpty(49),
    description: plainText(200),
    provider_name: word,
    provider_icon_url: text(3_000),
  },
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
  input: input('input_element'),
  modal_input: input('modal_input_element'),
  image: typed('image', imageFields, { ...identified, ...imageSource, title: plainText(2_000) }, oneImageSource),
  video,
};
