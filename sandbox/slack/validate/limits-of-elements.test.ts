import { describe, expect, test } from 'vitest';
import { BlockKit } from './block-kit.ts';
import {
  actions,
  type Block,
  button,
  confirm,
  input,
  letters,
  mrkdwn,
  option,
  plain,
  select,
  times,
} from './sample-blocks.testing.ts';

/** A limit: blocks of a given size in a modal, and where Slack points inside the first of them if they exceed it. */
type Limit = readonly [what: string, limit: number, blocksOf: (size: number) => Block[], pointer: string];

const options = (count: number, change: Block = {}) => times(count, () => option(change));
const groups = (count: number) => times(count, () => ({ label: plain('G'), options: [option()] }));
const group = (change: Block) => select({ options: undefined, option_groups: [{ ...groups(1)[0], ...change }] });
const field = (type: string, change: Block) => input({ type, ...change });
const dispatching = (events: number) => ({
  dispatch_action_config: {
    trigger_actions_on: times(events, (index) => (index === 0 ? 'on_enter_pressed' : 'on_character_entered')),
  },
});
const conversations = (kinds: number) =>
  actions({ type: 'conversations_select', filter: { include: times(kinds, () => 'im') } });

const MOST: readonly Limit[] = [
  ['characters in an action_id', 255, (n) => actions(button({ action_id: letters(n) })), '/elements/0/action_id'],
  ['characters on a button', 75, (n) => actions(button({ text: plain(letters(n)) })), '/elements/0/text/text'],
  ['characters in a value', 2000, (n) => actions(button({ value: letters(n) })), '/elements/0/value'],
  ['characters in a link', 3000, (n) => actions(button({ url: letters(n) })), '/elements/0/url'],
  [
    'characters in a spoken label',
    75,
    (n) => actions(button({ accessibility_label: letters(n) })),
    '/elements/0/accessibility_label',
  ],
  ['entries of an overflow menu', 5, (n) => actions({ type: 'overflow', options: options(n) }), '/elements/0/options'],
  [
    "characters in an entry's link",
    3000,
    (n) => actions({ type: 'overflow', options: options(1, { url: letters(n) }) }),
    '/elements/0/options/0/url',
  ],
  ['options of a select', 100, (n) => select({ options: options(n) }), '/elements/0/options'],
  [
    'groups of a select',
    100,
    (n) => select({ options: undefined, option_groups: groups(n) }),
    '/elements/0/option_groups',
  ],
  ['options of a group', 100, (n) => group({ options: options(n) }), '/elements/0/option_groups/0/options'],
  [
    "characters in a group's label",
    75,
    (n) => group({ label: plain(letters(n)) }),
    '/elements/0/option_groups/0/label/text',
  ],
  [
    'characters in an option',
    75,
    (n) => select({ options: options(1, { text: plain(letters(n)) }) }),
    '/elements/0/options/0/text/text',
  ],
  [
    "characters in an option's value",
    150,
    (n) => select({ options: options(1, { value: letters(n) }) }),
    '/elements/0/options/0/value',
  ],
  [
    "characters in an option's description",
    75,
    (n) => select({ options: options(1, { description: plain(letters(n)) }) }),
    '/elements/0/options/0/description/text',
  ],
  [
    'characters in a placeholder',
    150,
    (n) => select({ placeholder: plain(letters(n)) }),
    '/elements/0/placeholder/text',
  ],
  ['checkboxes', 10, (n) => actions({ type: 'checkboxes', options: options(n) }), '/elements/0/options'],
  ['radio buttons', 10, (n) => actions({ type: 'radio_buttons', options: options(n) }), '/elements/0/options'],
  [
    'characters beside a checkbox',
    75,
    (n) => actions({ type: 'checkboxes', options: options(1, { text: mrkdwn(letters(n)) }) }),
    '/elements/0/options/0/text/text',
  ],
  [
    "characters in a confirmation's title",
    100,
    (n) => confirm({ title: plain(letters(n)) }),
    '/elements/0/confirm/title/text',
  ],
  ['characters in a confirmation', 300, (n) => confirm({ text: plain(letters(n)) }), '/elements/0/confirm/text/text'],
  ['characters on its button', 30, (n) => confirm({ confirm: plain(letters(n)) }), '/elements/0/confirm/confirm/text'],
  ['characters on its other button', 30, (n) => confirm({ deny: plain(letters(n)) }), '/elements/0/confirm/deny/text'],
  [
    'characters to begin with',
    3000,
    (n) => field('plain_text_input', { initial_value: letters(n) }),
    '/element/initial_value',
  ],
  ['characters that are too few', 3000, (n) => field('plain_text_input', { min_length: n }), '/element/min_length'],
  [
    'characters that are not too many',
    3000,
    (n) => field('plain_text_input', { max_length: n }),
    '/element/max_length',
  ],
  [
    'occasions to tell what is typed',
    2,
    (n) => field('plain_text_input', dispatching(n)),
    '/element/dispatch_action_config/trigger_actions_on',
  ],
];

const LEAST: readonly Limit[] = [
  ['entries of an overflow menu', 1, (n) => actions({ type: 'overflow', options: options(n) }), '/elements/0/options'],
  ['options of a select', 1, (n) => select({ options: options(n) }), '/elements/0/options'],
  ['checkboxes', 1, (n) => actions({ type: 'checkboxes', options: options(n) }), '/elements/0/options'],
  [
    'items to select',
    1,
    (n) => actions({ type: 'multi_users_select', max_selected_items: n }),
    '/elements/0/max_selected_items',
  ],
  [
    'characters to ask for options',
    0,
    (n) => actions({ type: 'external_select', min_query_length: n }),
    '/elements/0/min_query_length',
  ],
  ['kinds of conversations', 1, conversations, '/elements/0/filter/include'],
  ['characters that are too few', 0, (n) => field('plain_text_input', { min_length: n }), '/element/min_length'],
  ['characters that are not too many', 1, (n) => field('plain_text_input', { max_length: n }), '/element/max_length'],
  [
    'occasions to tell what is typed',
    1,
    (n) => field('plain_text_input', dispatching(n)),
    '/element/dispatch_action_config/trigger_actions_on',
  ],
];

const WELL_FORMED: readonly [what: string, element: Block, wrong: Block, message: string][] = [
  ['a time', { type: 'timepicker', initial_time: '23:59' }, { initial_time: '24:00' }, 'must be a valid time (HH:mm)'],
];

describe('the limits of elements', () => {
  const blockKit = new BlockKit();
  const view = (blocks: Block[]) => ({ type: 'modal', title: plain('T'), submit: plain('Go'), blocks });
  // As sent: undefined fields are absent.
  const inModal = (blocks: Block[]) => blockKit.view(JSON.parse(JSON.stringify(view(blocks))), 'modal', '');
  const pointersIn = (blocks: Block[]) => inModal(blocks).map(({ pointer }) => pointer);

  test.each(MOST)('allow at most this many %s: %i', (_what, limit, blocksOf, pointer) => {
    expect(pointersIn(blocksOf(limit))).toEqual([]);
    expect(pointersIn(blocksOf(limit + 1))).toContain(`/blocks/0${pointer}`);
  });

  test.each(LEAST)('require at least this many %s: %i', (_what, limit, blocksOf, pointer) => {
    expect(pointersIn(blocksOf(limit))).toEqual([]);
    expect(pointersIn(blocksOf(limit - 1))).toContain(`/blocks/0${pointer}`);
  });

  test.each(WELL_FORMED)("accept %s only in Slack's format", (_what, element, wrong, message) => {
    expect(inModal(input(element))).toEqual([]);
    expect(inModal(input({ ...element, ...wrong }))).toMatchObject([{ message }]);
  });
});
