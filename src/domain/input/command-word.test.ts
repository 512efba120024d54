import { expect, test } from 'vitest';
import { correctedCommand, meantCommand, plainCommand } from './command-word.ts';
import { parseCommandText } from './filters.ts';

const WORDS = ['failures', 'note', 'ack', 'acquit', 'watch', 'watches', 'status'];

test.each([
  ['failures since:2h', 'failures since:2h'],
  ['Failures: since:2h', 'Failures since:2h'],
  ['/notif ack #17', 'ack #17'],
  ['  `failures` since:2h', 'failures since:2h'],
  ['`note #17 key rotated`', 'note #17 key rotated'],
  ['\u200bnote #17 it `works`', 'note #17 it `works`'],
])('what people write around the word of a command is omitted: %j', (typed, plain) => {
  expect(plainCommand(typed, WORDS)).toBe(plain);
});

test.each(['', 'Re: txn_8f2c91', '`txn_8f2c91`', '/notif txn_8f2c91', 'failurs: since:2h', 'ack-17'])(
  'text that begins with no command is kept: %j',
  (typed) => {
    expect(plainCommand(typed, WORDS)).toBe(typed);
  },
);

test.each([
  ['failurs since:2h', 'failurs', 'failures since:2h'],
  ['`failurs since:2h`', 'failurs', 'failures since:2h`'],
  ['“failurs” since:2h', 'failurs', 'failures since:2h'],
  ['\u200bfailurs  mention:<@U0ANN|ann>', 'failurs', 'failures  mention:<@U0ANN|ann>'],
  ['failurs: since:2h', 'failurs:', 'failures since:2h'],
])('a mistyped command is corrected, and the rest kept as typed: %j', (typed, word, text) => {
  expect(correctedCommand(typed, word, 'failures')).toEqual({ command: 'failures', shown: 'failures', text });
});

test('a word that is not in the text as typed is not corrected', () => {
  expect(correctedCommand('"my failurs" since:2h', 'my failurs', 'failures')).toBeNull();
});

test.each([
  ['weekly failures', 'failures weekly'],
  ['#17 ack', 'ack #17'],
  ['show failures', 'failures'],
  ['show me all the failures since:2h', 'failures since:2h'],
  ['list watches', 'watches'],
  ['Get `Status` please', 'status'],
  ['weekly digest failures', 'failures weekly digest'],
  [' weekly  failures ` ', 'failures weekly'],
])('a command after its words is meant: %s', (typed, text) => {
  expect(meantCommand(typed, wordsOf(typed), WORDS)).toMatchObject({ shown: text, text });
});

test.each([
  ['acknowledge #17', 'ack #17'],
  ['stat', 'status'],
  ['sta', 'status'],
])('a command in another form is meant: %s', (typed, text) => {
  expect(meantCommand(typed, wordsOf(typed), WORDS)).toMatchObject({ text });
});

test.each([
  ...['ac #17', 'wat', 'st', 'ack-17', 'status-page', '17-ack', 'order-shipped'],
  ...['what caused these failures', 'what happened to these failures'],
])('no command is meant: %s', (typed) => {
  expect(meantCommand(typed, wordsOf(typed), WORDS)).toBeNull();
});

function wordsOf(typed: string): readonly string[] {
  return parseCommandText(typed).words;
}
