import { describe, expect, it } from 'vitest';
import type { Json } from '../page-protocol.ts';
import { collectState, findUnfinished, stateOf, valueIn } from './state.ts';

const option = { text: { type: 'plain_text', text: 'Staging' }, value: 'staging' };

const input = (blockId: string, element: Json, more: Json = {}): Json => ({
  type: 'input',
  block_id: blockId,
  element: { action_id: 'a', ...element },
  ...more,
});

describe("a surface's state", () => {
  it('begins with the initial values, in the words of each element', () => {
    const blocks = [
      input('subscriber', { type: 'plain_text_input', initial_value: 'user-1' }),
      input('payload', { type: 'plain_text_input' }),
      {
        type: 'section',
        block_id: 'where',
        accessory: { type: 'static_select', action_id: 'env', initial_option: option },
      },
      {
        type: 'actions',
        block_id: 'row',
        elements: [
          { type: 'button', action_id: 'go' },
          { type: 'checkboxes', action_id: 'c' },
        ],
      },
    ];
    expect(collectState(blocks, {})).toEqual({
      subscriber: { a: { type: 'plain_text_input', value: 'user-1' } },
      payload: { a: { type: 'plain_text_input', value: null } },
      where: { env: { type: 'static_select', selected_option: option } },
      row: { c: { type: 'checkboxes', selected_options: [] } },
    });
  });

  it('prefers what was typed, and drops what was typed into blocks that are gone', () => {
    const typed = { kept: { a: stateOf('plain_text_input', 'mine') }, gone: { a: stateOf('plain_text_input', 'x') } };
    expect(collectState([input('kept', { type: 'plain_text_input', initial_value: 'theirs' })], typed)).toEqual({
      kept: { a: { type: 'plain_text_input', value: 'mine' } },
    });
  });

  it.each([
    ['users_select', 'U0ANN'],
    ['datepicker', '2026-11-20'],
    ['multi_external_select', [option]],
  ])('gives back the value of %s', (type, value) => {
    expect(valueIn(stateOf(type, value))).toEqual(value);
  });

  it('has no value for a button', () => {
    expect(valueIn({ type: 'button', value: 'x' })).toBeUndefined();
  });
});

describe('an unfinished form', () => {
  const check = (block: Json) => findUnfinished([block], collectState([block], {}));

  it('asks for required fields only', () => {
    expect(check(input('b', { type: 'plain_text_input' }))).toEqual({ b: 'Please complete this required field.' });
    expect(check(input('b', { type: 'multi_static_select' }))).toEqual({ b: 'Please complete this required field.' });
    expect(check(input('b', { type: 'plain_text_input' }, { optional: true }))).toEqual({});
  });

  it('asks for enough characters, and for numbers', () => {
    expect(check(input('b', { type: 'plain_text_input', initial_value: 'ab', min_length: 3 }))).toEqual({
      b: 'Please enter at least 3 characters.',
    });
    expect(check(input('b', { type: 'number_input', initial_value: 'ten' }))).toEqual({ b: 'Please enter a number.' });
  });
});
