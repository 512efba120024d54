import { expect, test } from 'vitest';
import { buttonsOf, expectFit, PRODUCTION, wordsOf } from '../slack.testing.ts';
import cases from './mentions.cases.json' with { type: 'json' };
import { aboutThread, idsToLookUp, openFormMessage } from './mentions.ts';

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

const ABOUT_INCIDENTS = [
  { word: 'ack', usage: '<incident …>' },
  { word: 'note', usage: '<incident> <text>', follows: 'text' as const },
  { word: 'mute', usage: '[incident | number] [2h | until:14:00]' },
  { word: 'resend', usage: '<incident> [stop] | <event or transaction ID …>' },
  { word: 'status', usage: '' },
];

test.each([
  ['ack', 'ack #7'],
  ['resend', 'resend #7'],
  ['Ack!', 'Ack #7'],
  ['note 5 users wrote in', 'note #7 5 users wrote in'],
  ['mute 1h', 'mute #7 1h'],
  ['mute 2', 'mute 2'],
  ['ack 8', 'ack 8'],
  ['note #8 key is back', 'note #8 key is back'],
  ['status', 'status'],
  ['thanks, all', 'thanks, all'],
])("a command in an incident's thread is about it, unless it names another: %s", (text, run) => {
  expect(aboutThread(text, [7], ABOUT_INCIDENTS)).toBe(run);
  for (const incidents of [[], [7, 8]]) expect(aboutThread(text, incidents, ABOUT_INCIDENTS)).toBe(text);
});

test('a command that opens a form is answered with a button', () => {
  const shown = openFormMessage('trigger order-shipped');
  expect(wordsOf(shown)).toContain('/notif trigger order-shipped opens a form');
  expect(buttonsOf(shown)).toEqual(['Open form']);
  expect(buttonsOf(openFormMessage(`trigger ${'x'.repeat(3_000)}`))).toEqual([]);
  expectFit(shown);
});
