import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { straightened } from '../../lib/fold.ts';
import { anyCharacter } from '../../lib/text/any-character.testing.ts';
import cases from './text.cases.json' with { type: 'json' };
import {
  bold,
  code,
  cut,
  cutMarkup,
  joined,
  listed,
  mrkdwn,
  mrkdwnElement,
  percent,
  person,
  plain,
  token,
} from './text.ts';

const HOSTILE = [...cases.hostile, '\uD800', '\uDC00'];

const hostileText = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCharacter }), fc.lorem({ maxCount: 3 }))),
    fc.constantFrom('', ' '),
  )
  .map(([parts, separator]) => parts.join(separator));

/** Returns all that Slack would take for more than text. */
function markupIn(text: string): string[] {
  const patterns = {
    token: /<[^>]*>|[<>]/g,
    unescaped: /&(?!(?:amp|lt|gt);)/g,
    formatting: /[*~`]/g,
    italics: /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
    quotation: /^(?:&gt;|>)/g,
    emoji: /:(?!\d+(?:-\d+)?:)[\w+'-]{1,100}:/g,
    invisible: /[\p{Cc}\p{Cf}\p{Cs}]/gu,
  };
  return Object.values(patterns).flatMap((pattern) => text.match(pattern) ?? []);
}

test.each(['_internal_', '*vip*', '~old~', ':fire:', 'a `b` c'])(
  '%s is understood when copied from where it is shown',
  (name) => {
    expect(straightened(`${mrkdwn`${name}`}`)).toBe(name);
  },
);

describe('text from outside', () => {
  test.each(HOSTILE)('stays text: %j', (hostile) => {
    expect(markupIn(`${mrkdwn`${hostile}`}`)).toEqual([]);
  });

  test('never becomes markup, whatever surrounds it', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(markupIn(`${mrkdwn`${text}`}`)).toEqual([]);
      }),
    );
  });

  test('is unchanged if nothing in it could format', () => {
    expect(`${mrkdwn`${'order_shipped at 12:30:05 for A & B'}`}`).toBe('order_shipped at 12:30:05 for A &amp; B');
  });

  test('is cut to its limit before it is escaped', () => {
    const text = `${mrkdwn`${'&'.repeat(5_000)}`}`;
    expect(text.length).toBeLessThanOrEqual(250 * 5);
    expect(text).toMatch(/^(?:&amp;)+…$/);
  });

  test("can't break out of an ID's code style", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const inside = `${code(text)}`.slice(1, -1);
        expect(inside).not.toMatch(/[`<>\n]|&(?!(?:amp|lt|gt);)|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });

  test('shows invisible characters in an ID, so that two IDs never look alike', () => {
    expect(`${code('user\u200B-1')}`).toBe('`user�-1`');
    expect(`${code('us\u200Der-ک\u200Cخ')}`).toBe('`us�er-ک\u200Cخ`');
  });
});

describe('markup', () => {
  test('keeps its own formatting, and groups the digits of numbers', () => {
    expect(`${mrkdwn`*${4210} events* for ${code('user_1')}`}`).toBe('*4,210 events* for `user_1`');
  });

  test('inserts markup into markup unchanged', () => {
    expect(`${joined([bold('a*b'), 'c<d', 7], ' · ')}`).toBe('*a∗b* · c&lt;d · 7');
  });

  test('is cut to Slack’s limit without breaking an escape, a token or a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('&', 'x', '😀', '<', 'é')),
        fc.constantFrom(person('U0ANN'), mrkdwn` ${token('<!date^1772632800^{date}|4 March 2026 UTC>')}–`),
        fc.integer({ min: 10, max: 120 }),
        (letters, inserted, longest) => {
          const text = `${cutMarkup(mrkdwn`${letters.join('')}${inserted}${code(letters.join(''))}`, longest)}`;
          expect(text.length).toBeLessThanOrEqual(longest);
          expect(text.replace(/<@U0ANN>|<!date[^<>]*UTC>/, '')).not.toMatch(
            /&(?!(?:amp|lt|gt);)|[<>]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/,
          );
          expect(text.split('`').length % 2).toBe(1);
        },
      ),
    );
  });

  test('stops Slack from making links of its own', () => {
    expect(mrkdwnElement(mrkdwn`see example.com`, 100)).toEqual({
      type: 'mrkdwn',
      text: 'see example.com',
      verbatim: true,
    });
  });

  test('mentions only Slack users', () => {
    expect(`${person('U0ANN')}`).toBe('<@U0ANN>');
    expect(`${person('!channel')}`).toBe('`!channel`');
  });
});

describe('a list of words', () => {
  test('leaves out what is absent or empty, such as a list of nothing', () => {
    expect(`${joined(['a', null, false, '', mrkdwn``, listed([]), 'b'], ', ')}`).toBe('a, b');
  });

  test('names five and counts the others', () => {
    expect(`${listed([1, 2, 3, 4, 5])}`).toBe('1, 2, 3, 4, 5');
    expect(`${listed([1, 2, 3, 4, 5, 6, 7], ' or ')}`).toBe('1 or 2 or 3 or 4 or 5 or 2 more');
  });
});

describe('plain text', () => {
  test('is never empty and never longer than its limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 2, max: 80 }), (text, longest) => {
        const { length } = plain(text, longest).text;
        expect(length).toBeGreaterThan(0);
        expect(length).toBeLessThanOrEqual(longest);
      }),
    );
  });

  test('is cut between characters', () => {
    expect(cut('ab😀cd', 4)).toBe('ab…');
    expect(cut('abcd', 4)).toBe('abcd');
  });
});

test.each(cases.percents)(
  '$part of $whole are $words: nothing and all are said of nothing and all only',
  ({ part, whole, words }) => {
    expect(percent(part, whole)).toBe(words);
  },
);
