import { describe, expect, test } from 'vitest';
import { optionOf, readOptions } from './options.ts';

const shipped = optionOf({ id: 'order-shipped', name: 'Order shipped' });
const reset = optionOf({ id: 'password-reset', name: 'Password reset' });

describe('the options of a value', () => {
  test('are parsed for one, several, or none', () => {
    expect(readOptions(shipped)).toEqual([shipped]);
    expect(readOptions([shipped, reset])).toEqual([shipped, reset]);
    expect(readOptions(null)).toEqual([]);
  });

  test('leave out invalid options', () => {
    expect(readOptions([shipped, { value: 'no text' }, 7])).toEqual([shipped]);
  });
});
