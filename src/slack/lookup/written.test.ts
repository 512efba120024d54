import { expect, test } from 'vitest';
import { PRODUCTION } from '../slack.testing.ts';
import { isCommandIn } from './written.ts';

const COMMANDS = [
  { word: 'event' },
  { word: 'failures' },
  { word: 'watch' },
  { word: 'note', follows: 'text' },
  { word: 'deployed', follows: 'text' },
  { word: 'ack', follows: 'incident' },
  { word: 'mute', follows: 'incident' },
] as const;

const isCommand = (text: string) => isCommandIn({ text, texts: [text], parentText: null }, COMMANDS, [PRODUCTION]);

test.each([
  'note #17 see txn_8f2c91 for details',
  'note #17 anna@example.com was affected too',
  'Note: #17 restarted mailer-2',
  '/notif note #17 restarted mailer-2',
  '`note #17 see txn_8f2c91 for details`',
  '\u200bnote #17 see txn_8f2c91 for details',
  'deployed checkout build-4711',
  'ack sendgrid order-shipped-v2',
  'mute order-shipped-v2 2h',
])('a command with text or with names that look like IDs is run: %s', (text) => {
  expect(isCommand(text)).toBe(true);
});

test.each([
  'failures',
  'failurs since:2h',
  'failures: since:2h',
  'event txn_8f2c91',
  'event txn_8f2c91 env:production',
  'watch subscriber: user-42 env: production',
])('a command is run: %s', (text) => {
  expect(isCommand(text)).toBe(true);
});

test.each([
  'txn_8f2c91',
  'event txn_8f2c91 was not delivered',
  'watch out: txn_8f2c91 failed again',
  'what about txn_8f2c91?',
  'failures of order: txn_8f2c91 and others',
  'noted: txn_8f2c91',
])('a sentence with an ID is looked up: %s', (text) => {
  expect(isCommand(text)).toBe(false);
});

test('filters are looked for where a person writes them, not deep in a pasted log, and none is cut', () => {
  const afterWords = (words: number) => `event ${'in '.repeat(words)}tx:x17z`;
  expect(isCommand(afterWords(600))).toBe(false);
  expect(isCommand(afterWords(662))).toBe(false);
  expect(isCommand(afterWords(663))).toBe(true);
  expect(isCommand(afterWords(9_000))).toBe(true);
});
