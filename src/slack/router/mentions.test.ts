import { expect, test } from 'vitest';
import { buttonsOf, expectFit, PRODUCTION, wordsOf } from '../slack.testing.ts';
import { formOfCommand, idsToLookUp } from './mentions.ts';

const COMMANDS = [
  ...['event', 'failures', 'note'].map((word) => ({ word, usage: '<what>' })),
  { word: 'status', usage: '' },
];

const idsIn = (text: string) => idsToLookUp(text, COMMANDS, [PRODUCTION]).map(({ target }) => target.id);

test.each([
  'failures',
  'event txn_8f2c91 env:production',
  'Note: #17 see txn_8f2c91',
  '`note #17 see txn_8f2c91`',
  'status',
  'thank you',
])('a message that begins with a command, or has no ID, is run: %s', (text) => {
  expect(idsIn(text)).toEqual([]);
});

test.each([
  'txn_8f2c91',
  'what about txn_8f2c91?',
  'txn_8f2c91 env:staging',
  'noted: txn_8f2c91',
  'status of txn_8f2c91?',
])('the ID in any other message is looked up: %s', (text) => {
  expect(idsIn(text)).toEqual(['txn_8f2c91']);
});

test('a command that opens a form is answered with a button', () => {
  const shown = formOfCommand('trigger order-shipped');
  expect(wordsOf(shown)).toContain('/notif trigger order-shipped opens a form');
  expect(buttonsOf(shown)).toEqual(['Open form']);
  expect(buttonsOf(formOfCommand(`trigger ${'x'.repeat(3_000)}`))).toEqual([]);
  expectFit(shown);
});
