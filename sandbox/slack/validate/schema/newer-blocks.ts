import { identified } from './basic-blocks.ts';
import {
  boolean,
  byType,
  type Fields,
  list,
  named,
  object,
  oneOf,
  ref,
  someOf,
  type Types,
  text,
  typed,
  word,
} from './shape.ts';
import { anyText, markup, plainText } from './text.ts';

/** Where Slack's page and others disagree, the stricter number is used: what passes here also passes there. */

/** Slack's page has no number for the text; the Java SDK has 200. */
const alert = typed(
  'alert',
  { text: anyText(200) },
  { ...identified, level: oneOf('default', 'info', 'warning', 'error', 'success') },
);

/** Slack has been seen to allow at most two buttons. */
const card = typed(
  'card',
  {},
  {
    ...identified,
    hero_image: byType({ image: 'image_element' }),
    icon: byType({ image: 'image_element' }),
    title: markup(150),
    subtitle: markup(150),
    body: markup(200),
    actions: list(byType(named('button')), { minItems: 1, maxItems: 2 }),
  },
  someOf('hero_image', 'title', 'actions', 'body'),
);

/** Slack's page lists these and `file`, which nobody can post. Its validator has been seen to have another list. */
const children = named('actions', 'context', 'divider', 'header', 'image', 'input', 'rich_text', 'section', 'video');

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

const task: Fields = { task_id: word, title: word, status: oneOf('pending', 'in_progress', 'complete', 'error') };
const taskDetails: Fields = {
  ...identified,
  details: byType(named('rich_text')),
  output: byType(named('rich_text')),
  sources: list(byType({ url: 'url_source' })),
};

export const newerBlocks: Fields = {
  alert,
  card,
  carousel: typed('carousel', { elements: list(byType(named('card')), { minItems: 1, maxItems: 10 }) }, identified),
  container: container({ ...children, ...named('table') }),
  home_container: container(children),
  context_actions: typed(
    'context_actions',
    { elements: list(ref('context_action'), { minItems: 1, maxItems: 5 }) },
    identified,
  ),
  markdown: typed('markdown', { text: text(12_000) }, identified),
  url_source: typed('url', { url: text(3_000), text: word }),
  task_card: typed('task_card', task, taskDetails),
  /** In Slack's example, the tasks of a plan have no type. */
  plan: typed(
    'plan',
    { title: word },
    { ...identified, tasks: list(object(task, { type: { const: 'task_card' }, ...taskDetails })) },
  ),
};
