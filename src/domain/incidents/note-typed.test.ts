import { expect, test } from 'vitest';
import { noteTyped } from './note-typed.ts';

test.each<[string, readonly string[], string]>([
  ['#17 key had been rotated', ['#17'], 'key had been rotated'],
  ['17 since: they said "no" to us', ['17'], 'since: they said "no" to us'],
  ['#17 #18 is the same', ['#17'], '#18 is the same'],
  ['  #17   key\nrotated ', ['#17'], 'key rotated'],
  ['#17 "key" and "vault"', ['#17'], '"key" and "vault"'],
  ['#17 "email was blocked"', ['#17'], 'email was blocked'],
  ['#17 ""', ['#17'], ''],
  ['', [], ''],
])('a note typed as %s is split into the incident and the text', (typed, incident, text) => {
  expect(noteTyped(typed)).toEqual({ incident, text });
});
