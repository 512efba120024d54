import { describe, expect, test } from 'vitest';
import { asText, unescaped, withoutSlackEscapes } from './slack-text.ts';

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
