import { expect, test } from 'vitest';
import { correctedText, plainCommand } from './slack-text.ts';

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
  expect(correctedText(typed, word, 'failures')).toBe(text);
});

test('a word that is not in the text as typed is not corrected', () => {
  expect(correctedText('"my failurs" since:2h', 'my failurs', 'failures')).toBeNull();
});
