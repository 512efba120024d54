import { describe, expect, test } from 'vitest';
import { asText, environmentsIn, plainCommand, unescaped, withoutSlackEscapes } from './slack-text.ts';

describe('withoutSlackEscapes', () => {
  test.each([
    ['<mailto:anna@example.com|anna@example.com>', 'anna@example.com'],
    ['<http://order.shipped|order.shipped>', 'order.shipped'],
  ])('returns for %s what was typed before Slack made a link of it', (text, typed) => {
    expect(withoutSlackEscapes(`workflow:${text} since:1h`)).toBe(`workflow:${typed} since:1h`);
  });

  test.each([
    ['<https://example.com/a?b=1&amp;c=2>', 'https://example.com/a?b=1&c=2'],
    ['<https://example.com/a|the runbook>', 'https://example.com/a'],
    ['<mailto:anna@example.com|Anna Smith>', 'anna@example.com'],
    ['<tel:+4917012345|0170 12345>', '+4917012345'],
  ])('returns the address of the link %s, which says something else or nothing', (text, address) => {
    expect(withoutSlackEscapes(`see ${text}`)).toBe(`see ${address}`);
  });

  test('straightens what phones insert', () => {
    expect(withoutSlackEscapes('workflow:“R&amp;D” —since 1h')).toBe('workflow:"R&D" -since 1h');
  });
});

describe('unescaped', () => {
  test.each([
    ['R&amp;D', 'R&D'],
    ['&lt;b&gt; and &lt;/b&gt;', '<b> and </b>'],
    ['&amp;lt;', '&lt;'],
  ])('returns %s as it was typed', (escaped, typed) => {
    expect(unescaped(escaped)).toBe(typed);
  });
});

describe('asText', () => {
  test.each([
    ['<@U0ANN|ann>', '@ann'],
    ['<#C0ONCALL|oncall>', '#oncall'],
    ['<!subteam^S0OPS|@ops>', '@ops'],
    ['<@U0ANN>', '<@U0ANN>'],
    ['a < b | c > d', 'a < b | c > d'],
  ])('returns for %s what people see', (value, text) => {
    expect(asText(value)).toBe(text);
  });
});

const WORDS = ['failures', 'note', 'ack', 'acquit', 'watch', 'watches', 'status'];

test.each([
  ['failures since:2h', 'failures since:2h'],
  ['Failures: since:2h', 'Failures since:2h'],
  ['/notif ack #17', 'ack #17'],
  ['  `failures` since:2h', 'failures since:2h'],
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
  ['checkout 2.3', [], 'checkout 2.3'],
  ['mail 5; env:production', ['production'], 'mail 5'],
  ['env: “staging” mail 5', ['staging'], ' mail 5'],
  ['what about txn_1 (ENV:staging)?', ['staging'], 'what about txn_1 )?'],
  ['txn_1 env:staging,production.', ['staging', 'production'], 'txn_1.'],
  ['mail 5 env:prod/eu', ['prod/eu'], 'mail 5'],
  ['mail 5 env:южная', ['южная'], 'mail 5'],
  ['noenv:staging', [], 'noenv:staging'],
])('environmentsIn finds what env: names anywhere in %s', (text, names, rest) => {
  expect(environmentsIn(text)).toEqual({ names, rest });
});

test('environmentsIn reads a mention of blanks at once', () => {
  const started = performance.now();
  expect(environmentsIn(`${' '.repeat(39_000)}txn_1`).names).toEqual([]);
  expect(performance.now() - started).toBeLessThan(1_000);
});
