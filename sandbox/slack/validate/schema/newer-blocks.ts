import { identified } from './basic-blocks.ts';
import { boolean, byType, type Fields, list, named, oneOf, someOf, type Types, typed } from './shape.ts';
import { anyText, plainText } from './text.ts';

/** Where Slack's page and others disagree, the stricter number is used: what passes here also passes there. */

/** Slack's page has no number for the text; the Java SDK has 200. */
const alert = typed(
  'alert',
  { text: anyText(200) },
  { ...identified, level: oneOf('default', 'info', 'warning', 'error', 'success') },
);

/** Slack's page lists these and `file`, which nobody can post. Its validator has been seen to have another list. */
const children = named('actions', 'context', 'divider', 'header', 'image', 'input', 'rich_text', 'section');

const container = (childTypes: Types) =>
  typed(
    'container',
    { child_blocks: list(byType(childTypes), { minItems: 1, maxItems: 10 }) },
    {
      ...identified,
      title: plainText(150),
      rich_text_title: byType(named('rich_text')),
      subtitle: anyText(150),
      icon: byType({ image: 'image_element' }),
      width: oneOf('narrow', 'standard', 'wide', 'full'),
      is_collapsible: boolean,
      default_collapsed: boolean,
      has_header_divider: boolean,
    },
    someOf('title', 'rich_text_title'),
  );

export const newerBlocks: Fields = {
  alert,
  container: container({ ...children, ...named('table') }),
  home_container: container(children),
};
