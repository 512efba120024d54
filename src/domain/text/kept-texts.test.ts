import { expect, test } from 'vitest';
import { isReference, referenceOf } from './kept-texts.ts';

test('a text has one reference, which no other text has', () => {
  expect(referenceOf('a long text')).toBe(referenceOf('a long text'));
  expect(referenceOf('a long text')).not.toBe(referenceOf('a long text.'));
});

test('a reference is told apart from a text', () => {
  expect(isReference(referenceOf('a long text'))).toBe(true);
  for (const text of ['a long text', '', `${referenceOf('a')} and more`, ` ${referenceOf('a')}`]) {
    expect(isReference(text)).toBe(false);
  }
});
