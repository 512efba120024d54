import { expect, test } from 'vitest';
import { problemsIn } from './problems.ts';

const LINE = 'must be less than 76 characters [json-pointer:/blocks/0/text/text]';
const READ = { message: 'must be less than 76 characters', pointer: '/blocks/0/text/text' };

test.each([
  [
    'the errors of chat.*, which are reported twice',
    { errors: [LINE], response_metadata: { messages: [`[ERROR] ${LINE}`] } },
  ],
  ['the messages of views.*', { response_metadata: { messages: [`[ERROR] ${LINE}`] } }],
  ['the errors of blocks.validate', { errors: [{ code: 'too_long', ...READ }] }],
])('problemsIn parses %s', (_what, answer) => {
  expect(problemsIn(answer)).toEqual([READ]);
});

test('problemsIn parses a line without a place', () => {
  const messages = ['[ERROR] missing required field: channel'];
  expect(problemsIn({ response_metadata: { messages } })).toEqual([
    { message: 'missing required field: channel', pointer: null },
  ]);
});

test('problemsIn is empty for an answer without problems', () => {
  expect(problemsIn({ ok: false, error: 'channel_not_found' })).toEqual([]);
});
