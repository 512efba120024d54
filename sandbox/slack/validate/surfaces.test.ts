import type { ActionsBlockElement, InputBlockElement, KnownBlock, SectionBlockAccessory } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { BlockKit } from './block-kit.ts';
import {
  actions,
  type Block,
  container,
  contextActions,
  home,
  input,
  modal,
  ofType,
  section,
  smallestBlocks,
  smallestElements,
} from './sample-blocks.ts';

const blockKit = new BlockKit();
const lines = (problems: ReturnType<BlockKit['blocks']>) => problems.map(({ message }) => message);

/** Returns Slack's complaints about the blocks on each surface. */
const refusals = (...blocks: Block[]) => ({
  message: lines(blockKit.blocks(blocks, '')),
  modal: lines(blockKit.view(modal({ blocks }), 'modal', '')),
  home: lines(blockKit.view(home({ blocks }), 'home', '')),
});

/** Expects no complaints in the places that allow the type, and an unsupported type everywhere else. */
const takenIn = (taken: readonly string[], type: string, places: readonly string[]) =>
  Object.fromEntries(places.map((place) => [place, taken.includes(place) ? [] : [`unsupported type: ${type}`]]));
const ALL = ['message', 'modal', 'home'];

/** Slack's own types have no charts; the compiler ensures that no type of theirs is missing here. */
const SURFACES: Readonly<Record<Exclude<KnownBlock['type'], 'file'> | 'data_visualization', readonly string[]>> = {
  section: ALL,
  header: ALL,
  context: ALL,
  divider: ALL,
  actions: ALL,
  input: ALL,
  image: ALL,
  rich_text: ALL,
  video: ALL,
  markdown: ['message'],
  table: ['message'],
  data_table: ['message'],
  data_visualization: ['message'],
  alert: ['modal'],
  card: ['message', 'home'],
  carousel: ['message', 'home'],
  container: ['message', 'home'],
  context_actions: ['message'],
  task_card: ['message'],
  plan: ['message'],
};

describe('the surfaces of blocks', () => {
  test.each(Object.entries(SURFACES))('allow a block of type %s in %j', (type, surfaces) => {
    expect(refusals(ofType(type, smallestBlocks))).toEqual(takenIn(surfaces, type, ALL));
  });

  test.each(['file', 'call', 'event', 'toString'])('never allow a block of type %s', (type) => {
    expect(refusals({ type, external_id: 'a', source: 'remote' })).toEqual(takenIn([], type, ALL));
  });

  test('allow a table inside a container only in messages', () => {
    const [block = {}] = container({ child_blocks: [ofType('table', smallestBlocks)] });
    expect(refusals(block)).toMatchObject({ message: [], home: ['unsupported type: table'] });
  });

  test.each(['container', 'card', 'markdown'])("don't allow a block of type %s inside a container", (type) => {
    const [block = {}] = container({ child_blocks: [ofType(type, smallestBlocks)] });
    expect(refusals(block).message).toEqual([`unsupported type: ${type}`]);
  });

  test('allow a file input only in modals', () => {
    expect(refusals(...input({ type: 'file_input' }))).toEqual(takenIn(['modal'], 'file_input', ALL));
  });
});

type ElementType = ActionsBlockElement['type'] | InputBlockElement['type'] | SectionBlockAccessory['type'];

const PRESSED = ['beside', 'among'];
const PICKED = ['beside', 'among', 'in'];
const ENTERED = ['in'];
const BELOW = ['below'];

/** The places of elements: beside a section, among actions, in an input block, below a message. */
const PLACES: Readonly<Record<ElementType | 'icon_button' | 'feedback_buttons', readonly string[]>> = {
  image: ['beside'],
  button: PRESSED,
  workflow_button: PRESSED,
  overflow: PRESSED,
  static_select: PICKED,
  multi_static_select: PICKED,
  external_select: PICKED,
  multi_external_select: PICKED,
  users_select: PICKED,
  multi_users_select: PICKED,
  channels_select: PICKED,
  multi_channels_select: PICKED,
  conversations_select: PICKED,
  multi_conversations_select: PICKED,
  checkboxes: PICKED,
  radio_buttons: PICKED,
  datepicker: PICKED,
  timepicker: PICKED,
  datetimepicker: ['among', 'in'],
  plain_text_input: ENTERED,
  number_input: ENTERED,
  email_text_input: ENTERED,
  url_text_input: ENTERED,
  rich_text_input: ENTERED,
  file_input: ENTERED,
  icon_button: BELOW,
  feedback_buttons: BELOW,
};

describe('the places of elements', () => {
  const inModal = (blocks: Block[]) => lines(blockKit.view(modal({ blocks }), 'modal', ''));

  test.each(Object.entries(PLACES))('allow a %s %j', (type, places) => {
    const element = ofType(type, smallestElements);
    const said = {
      beside: inModal(section({ accessory: element })),
      among: inModal(actions(element)),
      in: inModal(input(element)),
      below: lines(blockKit.blocks(contextActions(element), '')),
    };
    expect(said).toEqual(takenIn(places, type, Object.keys(said)));
  });
});
