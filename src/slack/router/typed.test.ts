import { describe, expect, test } from 'vitest';
import { expectView } from '../slack.testing.ts';
import { withTypedIn } from './typed.ts';

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
const option = (text: string, value: string) => ({ text: plain(text), value });
/** An option as Slack sends it back: escaped, and with emoji as names. */
const echoed = (text: string, value: string) => ({ text: { ...plain(text), emoji: true }, value });

const RND = option('R&D ✅', 'rnd');
const LAB = option('Lab <1>', 'lab');
const RND_ECHO = echoed('R&amp;D :white_check_mark:', 'rnd');
const LAB_ECHO = echoed('Lab &lt;1&gt;', 'lab');

function fieldOf(element: object) {
  return { type: 'input', block_id: 'field', label: plain('Field'), element: { action_id: 'field', ...element } };
}

function redrawn(element: object, entry: Readonly<Record<string, unknown>>) {
  const [block] = withTypedIn([fieldOf(element)], { field: { field: entry } });
  expectView({ type: 'modal', title: plain('Form'), submit: plain('Send'), blocks: [block] });
  return block?.element;
}

describe("a form's fields, filled again with what Slack sent", () => {
  test('have the options that they offer, not those that Slack echoes', () => {
    const select = { type: 'static_select', options: [LAB, RND] };
    expect(redrawn(select, { selected_option: RND_ECHO })).toMatchObject({ initial_option: RND });
    const groups = [{ label: plain('All'), options: [LAB, RND] }];
    expect(redrawn({ type: 'static_select', option_groups: groups }, { selected_option: LAB_ECHO })).toMatchObject({
      initial_option: LAB,
    });
    const several = { type: 'multi_static_select', options: [LAB, RND] };
    expect(redrawn(several, { selected_options: [RND_ECHO, LAB_ECHO] })).toMatchObject({ initial_options: [RND, LAB] });
  });

  test('leave out what they no longer offer', () => {
    const select = { type: 'static_select', options: [LAB], initial_option: LAB };
    expect(redrawn(select, { selected_option: RND_ECHO })).not.toHaveProperty('initial_option');
    const several = { type: 'multi_static_select', options: [LAB] };
    expect(redrawn(several, { selected_options: [RND_ECHO] })).not.toHaveProperty('initial_options');
  });

  test('have the choices of an external select as they were sent', () => {
    const { text } = LAB;
    expect(redrawn({ type: 'external_select' }, { selected_option: LAB_ECHO })).toMatchObject({
      initial_option: { text: { ...text, emoji: true }, value: 'lab' },
    });
    expect(redrawn({ type: 'multi_external_select' }, { selected_options: [LAB_ECHO] })).toMatchObject({
      initial_options: [{ text: { ...text, emoji: true }, value: 'lab' }],
    });
  });
});
