import { expect, test } from 'vitest';
import { buttonsOf, expectFit, PRODUCTION, wordsOf } from '../slack.testing.ts';
import cases from './mentions.cases.json' with { type: 'json' };
import { idsToLookUp, openFormMessage } from './route.ts';

const COMMANDS = [
  ...['event', 'failures', 'note'].map((word) => ({ word, usage: '<what>' })),
  { word: 'status', usage: '' },
];

const idsIn = (text: string) => idsToLookUp(text, COMMANDS, [PRODUCTION]).map(({ target }) => target.id);

test.each(cases.run)('a message that begins with a command, or has no ID, is run: %s', (text) => {
  expect(idsIn(text)).toEqual([]);
});

test.each(cases.lookedUp)('the ID in any other message is looked up: %s', (text) => {
  expect(idsIn(text)).toEqual(['txn_8f2c91']);
});

test('a command that opens a form is answered with a button', () => {
  const shown = openFormMessage('trigger order-shipped');
  expect(wordsOf(shown)).toContain('/notif trigger order-shipped opens a form');
  expect(buttonsOf(shown)).toEqual(['Open form']);
  expect(buttonsOf(openFormMessage(`trigger ${'x'.repeat(3_000)}`))).toEqual([]);
  expectFit(shown);
});
