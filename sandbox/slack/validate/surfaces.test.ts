import { describe, expect, it } from 'vitest';
import { BlockKit } from './block-kit.ts';
import { actions, type Block, container, home, input, modal, oneOfEach, section } from './sample-blocks.ts';

const blockKit = new BlockKit();

/** What Slack says against the blocks on each surface. */
const refusals = (...blocks: Block[]) => ({
  message: blockKit.blocks(blocks, '').map(({ message }) => message),
  modal: blockKit.view(modal({ blocks }), 'modal', '').map(({ message }) => message),
  home: blockKit.view(home({ blocks }), 'home', '').map(({ message }) => message),
});

const EVERYWHERE = ['section', 'header', 'context', 'divider', 'actions', 'input', 'image', 'rich_text', 'video'];
const IN_MESSAGES = ['markdown', 'table', 'data_table', 'data_visualization', 'context_actions', 'task_card', 'plan'];

describe('where blocks may stand', () => {
  it.each(EVERYWHERE)('takes a block of type %s everywhere', (type) => {
    expect(refusals(oneOfEach[type] ?? {})).toEqual({ message: [], modal: [], home: [] });
  });

  it.each(IN_MESSAGES)('takes a block of type %s in messages alone', (type) => {
    const refusal = [`unsupported type: ${type}`];
    expect(refusals(oneOfEach[type] ?? {})).toEqual({ message: [], modal: refusal, home: refusal });
  });

  it.each(['card', 'carousel', 'container'])('takes a block of type %s in messages and Home tabs', (type) => {
    expect(refusals(oneOfEach[type] ?? {})).toEqual({ message: [], modal: [`unsupported type: ${type}`], home: [] });
  });

  it('takes an alert in modals alone', () => {
    const refusal = ['unsupported type: alert'];
    expect(refusals(oneOfEach.alert ?? {})).toEqual({ message: refusal, modal: [], home: refusal });
  });

  it.each(['file', 'call', 'event', 'toString'])('takes a block of type %s nowhere', (type) => {
    const refusal = [`unsupported type: ${type}`];
    expect(refusals({ type, external_id: 'a', source: 'remote' })).toEqual({
      message: refusal,
      modal: refusal,
      home: refusal,
    });
  });

  it('takes a table inside a container in messages alone', () => {
    const [block = {}] = container({ child_blocks: [oneOfEach.table] });
    expect(refusals(block)).toMatchObject({ message: [], home: ['unsupported type: table'] });
  });

  it.each(['container', 'card', 'markdown', 'file'])('takes no block of type %s inside a container', (type) => {
    const [block = {}] = container({ child_blocks: [{ ...oneOfEach[type], type }] });
    expect(refusals(block).message).toEqual([`unsupported type: ${type}`]);
  });

  it('takes a file input in modals alone', () => {
    const [block = {}] = input({ type: 'file_input' });
    const refusal = ['unsupported type: file_input'];
    expect(refusals(block)).toEqual({ message: refusal, modal: [], home: refusal });
  });
});

const TYPED = ['plain_text_input', 'number_input', 'url_text_input', 'email_text_input', 'rich_text_input'];

describe('where elements may stand', () => {
  const element = (type: string): Block => ({ ...(type === 'number_input' ? { is_decimal_allowed: true } : {}), type });

  it.each([...TYPED, 'datetimepicker'])('takes a %s in an input block, and not beside a section', (type) => {
    expect(refusals(...input(element(type))).message).toEqual([]);
    expect(refusals(...section({ accessory: element(type) })).message).toEqual([`unsupported type: ${type}`]);
  });

  it.each(TYPED)('takes no %s among actions', (type) => {
    expect(refusals(...actions(element(type))).message).toEqual([`unsupported type: ${type}`]);
  });

  it.each(['feedback_buttons', 'icon_button'])('takes no %s among actions', (type) => {
    expect(refusals(...actions({ type })).message).toEqual([`unsupported type: ${type}`]);
  });

  it.each(['button', 'overflow', 'workflow_button', 'image'])('takes no %s in an input block', (type) => {
    expect(refusals(...input({ type })).message).toEqual([`unsupported type: ${type}`]);
  });
});
