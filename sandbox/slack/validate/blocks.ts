import { anyText, plainText, type } from './composition.ts';
import {
  actionsElement,
  contextElement,
  imageFields,
  imageSource,
  inputElement,
  oneImageSource,
  sectionAccessory,
} from './elements.ts';
import { richText } from './rich-text.ts';
import {
  atLeastOne,
  boolean,
  byType,
  type Fields,
  integer,
  list,
  number,
  object,
  oneOf,
  type Rule,
  string,
} from './rules.ts';

export type BlockSurface = 'message' | 'modal' | 'home';

const common: Fields = { block_id: string({ max: 255 }) };

const columnSetting: Rule = (value, at) =>
  value === null ? [] : object({}, { align: oneOf('left', 'center', 'right'), is_wrapped: boolean })(value, at);

const cell = byType({
  rich_text: richText,
  raw_text: object({ ...type('raw_text'), text: string({ min: 1, max: 3_000 }) }),
  raw_number: object({ ...type('raw_number'), value: number, text: string({ min: 1, max: 3_000 }) }),
});

const everywhere: Fields = {
  section: object(
    type('section'),
    {
      ...common,
      text: anyText(3_000),
      fields: list({ min: 1, max: 10 }, anyText(2_000)),
      accessory: sectionAccessory,
      expand: boolean,
    },
    atLeastOne('text', 'fields'),
  ),
  header: object({ ...type('header'), text: plainText(150) }, { ...common, level: integer(1, 4) }),
  context: object({ ...type('context'), elements: list({ min: 1, max: 10 }, contextElement) }, common),
  divider: object(type('divider'), common),
  actions: object({ ...type('actions'), elements: list({ min: 1, max: 25 }, actionsElement) }, common),
  input: object(
    { ...type('input'), label: plainText(2_000), element: inputElement },
    { ...common, hint: plainText(2_000), optional: boolean, dispatch_action: boolean },
  ),
  image: object(
    { ...type('image'), ...imageFields },
    { ...common, ...imageSource, title: plainText(2_000) },
    oneImageSource,
  ),
  rich_text: richText,
};

const messageOnly: Fields = {
  markdown: object({ ...type('markdown'), text: string({ min: 1, max: 12_000 }) }, common),
  table: object(
    { ...type('table'), rows: list({ min: 1, max: 100 }, list({ min: 1, max: 20 }, cell)) },
    { ...common, column_settings: list({ max: 20 }, columnSetting) },
  ),
};

/** The rule for one block, by the surface that it is to stand on. */
export const blockOn: Readonly<Record<BlockSurface, Rule>> = {
  message: byType({ ...everywhere, ...messageOnly }),
  modal: byType(everywhere),
  home: byType(everywhere),
};
