import { describe, expect, test } from 'vitest';
import { initialStateOf, stateOf, valueIn } from './fields.ts';

describe("an element's state", () => {
  test('starts with the initial value', () => {
    const state = initialStateOf({ type: 'timepicker', initial_time: '22:00' });
    expect(state).toEqual({ type: 'timepicker', selected_time: '22:00' });
  });

  test.each([
    ['plain_text_input', { value: null }],
    ['multi_static_select', { selected_options: [] }],
  ])('starts empty without one: %s', (type, empty) => {
    expect(initialStateOf({ type })).toEqual({ type, ...empty });
  });

  test('returns the value that was put in', () => {
    expect(valueIn(stateOf('users_select', 'U0ANN'))).toBe('U0ANN');
  });

  test("doesn't exist for an element without a value", () => {
    expect(initialStateOf({ type: 'button' })).toBeUndefined();
    expect(stateOf('button', 'x')).toEqual({ type: 'button' });
  });
});
