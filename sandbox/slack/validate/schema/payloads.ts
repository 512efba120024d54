import { boolean, byType, type Fields, list, maybeEmpty, named, ref, typed } from './shape.ts';
import { plainText } from './text.ts';

/** Whole messages and views: which blocks they allow, and how many. */

const basic = named('section', 'header', 'context', 'divider', 'actions', 'image', 'rich_text');

const messageBlocks = {
  ...basic,
  ...named('input', 'table', 'data_table', 'data_visualization', 'container'),
};
const modalBlocks = { ...basic, ...named('alert'), ...named('input') };
const homeBlocks = { ...basic, ...named('input'), container: 'home_container' };

const MOST_IN_MESSAGE = 50;
const MOST_IN_VIEW = 100;

const appFields: Fields = {
  private_metadata: maybeEmpty(3_000),
  callback_id: maybeEmpty(255),
  external_id: maybeEmpty(255),
};
const viewTitle = plainText(24);

export const payloads: Fields = {
  message_blocks: list(byType(messageBlocks), { maxItems: MOST_IN_MESSAGE }),
  /** Only what Slack limits; an attachment's blocks are counted separately. */
  attachments: list({
    type: 'object',
    properties: {
      blocks: ref('message_blocks'),
      footer: maybeEmpty(300),
      actions: { type: 'array', maxItems: 5 },
    },
  }),
  modal: typed(
    'modal',
    { title: viewTitle, blocks: list(byType(modalBlocks), { maxItems: MOST_IN_VIEW }) },
    { ...appFields, submit: viewTitle, close: viewTitle, clear_on_close: boolean, notify_on_close: boolean },
  ),
  home: typed('home', { blocks: list(byType(homeBlocks), { maxItems: MOST_IN_VIEW }) }, appFields),
  any_view: byType(named('modal', 'home')),
  modal_view: byType(named('modal')),
  home_view: byType(named('home')),
};
