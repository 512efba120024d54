import { describe, expect, test } from 'vitest';
import { cpuMs } from '../cpu.testing.ts';
import cases from './slack-text.cases.json' with { type: 'json' };
import { environmentsIn, plainCommand, referencesAsText, unescaped, withoutSlackEscapes } from './slack-text.ts';

describe('withoutSlackEscapes', () => {
  test.each([
    ['<mailto:anna@example.com|anna@example.com>', 'anna@example.com'],
    ['<http://order.shipped|order.shipped>', 'order.shipped'],
  ])('returns for %s what was typed before Slack made a link of it', (text, typed) => {
    expect(withoutSlackEscapes(`workflow:${text} since:1h`)).toBe(`workflow:${typed} since:1h`);
  });

  test.each(cases.links)(
    'returns the address of the link %s, which says something else or nothing',
    (text, address) => {
      expect(withoutSlackEscapes(`see ${text}`)).toBe(`see ${address}`);
    },
  );

  test('straightens what phones insert', () => {
    expect(withoutSlackEscapes('workflow:“R&amp;D” —since 1h')).toBe('workflow:"R&D" -since 1h');
  });
});

test.each(cases.escaped)('unescaped returns %s as it was typed', (escaped, typed) => {
  expect(unescaped(escaped)).toBe(typed);
});

test.each(cases.people)('referencesAsText returns for %s what people see', (value, text) => {
  expect(referencesAsText(value)).toBe(text);
});

const WORDS = ['failures', 'note', 'ack', 'acquit', 'watch', 'watches', 'status'];

test.each(cases.commands)('what people write around the word of a command is omitted: %j', (typed, plain) => {
  expect(plainCommand(typed, WORDS)).toBe(plain);
});

test.each(['', 'Re: txn_8f2c91', '`txn_8f2c91`', '/notif txn_8f2c91', 'failurs: since:2h', 'ack-17'])(
  'text that begins with no command is kept: %j',
  (typed) => {
    expect(plainCommand(typed, WORDS)).toBe(typed);
  },
);

test.each(cases.environments)('environmentsIn finds what env: names anywhere in $text', ({ text, names, rest }) => {
  expect(environmentsIn(text)).toEqual({ names, rest });
});

test('environmentsIn reads a mention of blanks at once', () => {
  const begun = cpuMs();
  expect(environmentsIn(`${' '.repeat(39_000)}txn_1`).names).toEqual([]);
  expect(cpuMs() - begun).toBeLessThan(1_000);
});
