import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SCRUBBED_LENGTH, scrub, scrubInFull, scrubValue } from './scrub.ts';

describe('scrub, on any text', () => {
  const hex = (length: number) =>
    fc
      .array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length })
      .map((digits) => digits.join(''));
  const word = fc.stringMatching(/^[A-Z][a-z][0-9][A-Za-z0-9]{9}$/);
  const planted = fc.oneof(
    word.map((secret) => [`sk_live_${secret}`, secret]),
    word.map((secret) => [`SG.${secret}.${secret}`, secret]),
    word.map((secret) => [`Authorization: Bearer ${secret}`, secret]),
    word.map((secret) => [`{"api_key": "${secret} ${secret}"}`, secret]),
    word.map((secret) => [`smtp://user:${secret}@mail.example.com:587`, secret]),
    word.map((secret) => [`https://hooks.example.com/services/${secret}`, secret]),
    word.map((secret) => [`${secret}@example.com`, secret]),
    word.map((secret) => [`eyJ${secret}.eyJ${secret}.${secret}`, secret]),
    hex(64).map((secret) => [secret, secret.slice(0, 8)]),
    fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map((number) => [`+49${number}`, `${number}`]),
    fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map((number) => [`cannot send to 49${number}`, `${number}`]),
    fc
      .integer({ min: 1_000_000_000, max: 9_999_999_999 })
      .map((number) => [`but 49${number} is not a valid number`, `${number}`]),
  );
  const surroundings = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.constantFrom(...`"\\{}[:=@• …+1a`, '<p>', 'token', '&amp;', 'https://')).map((texts) => texts.join('')),
  );

  const edge = fc.constantFrom(...` "'()[]{}:=,;|<>\`\n*`, '\\"');

  test('never shows a secret', () => {
    fc.assert(
      fc.property(
        surroundings,
        edge,
        planted,
        edge,
        surroundings,
        (before, left, [text = '', secret = ''], right, after) => {
          expect(scrub(before + left + text + right + after)).not.toContain(secret);
          expect(scrubInFull(before + left + text + right + after)).not.toContain(secret);
          const value = { [before]: [`${text} ${after}`] };
          expect(JSON.stringify(scrubValue(value))).not.toContain(secret);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('never shows a secret among repeated tags, quotes, brackets and invisible characters', () => {
    const texts = fc.constantFrom(...`"'{[;`, '<pin>1</pin>', '<Token>', '</', '\u200b', '\ud800', '\\"', 'pin>1');
    const repeated = fc.tuple(texts, fc.integer({ min: 0, max: 300 })).map(([part, times]) => part.repeat(times));
    const element = word.map((secret) => [`<password>${secret}</password>`, secret]);
    const header = word.map((secret) => [`cookie: ${secret}`, secret]);
    const between = fc.constantFrom(' and ', ' ', '\n');
    fc.assert(
      fc.property(
        repeated,
        between,
        fc.oneof(planted, element, header),
        repeated,
        (before, gap, [text = '', secret = ''], after) => {
          expect(scrubInFull(`${before}${gap}${text} ${after}`)).not.toContain(secret);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('changes nothing when repeated', () => {
    const text = fc.oneof(
      surroundings,
      fc.json(),
      fc.tuple(surroundings, planted, surroundings).map(([a, [b], c]) => a + b + c),
    );
    fc.assert(
      fc.property(text, (original) => {
        const once = scrub(original);
        expect(scrub(once)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(SCRUBBED_LENGTH);
        expect(once).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\n]/u);
      }),
      { numRuns: 150 },
    );
  });
});

test('a phone number before an S is no number of seconds', () => {
  expect(scrub('cannot send to 491000000000 S')).not.toContain('1000000000');
  expect(scrub('timed out after 1000000 s')).toContain('1000000 s');
});
