import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPhone, IN_TWELVE_LANGUAGES } from '../lib/text/contact-ids.testing.ts';
import { scrub, scrubInFull } from '../lib/text/scrub.ts';
import { textForEveryone } from './kit/for-everyone.ts';
import cases from './leaks.property.cases.json' with { type: 'json' };

/** `npm run test:fuzz` runs more cases. */
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

/** A name without vowels, which is no word of any sentence. */
const word = fc.stringMatching(/^[b-df-hj-np-tv-z]{5,9}$/);
const key = fc.stringMatching(/^[A-Z][a-z][0-9][A-Za-z0-9]{19}$/);
const inBase64 = (text: string) => Buffer.from(text).toString('base64').slice(0, 16);

const ADDRESSES = cases.addresses;

/** Sentences with a secret that is `random`, or one of their own: 482913 or qzxv…. */
const SECRETS: readonly ((random: string) => string)[] = [
  ...['Bearer', 'token:', 'api_key=', 'AUTH PLAIN', 'password:', 'auth key', 'Authorization: App'].map(
    (label) => (random: string) => `${label} ${random}`,
  ),
  (random) => `https://hooks.example.com/services/${random}`,
  (random) => `smtp://jane:${random}@mail.example.com`,
  (random) => `SG.${random}.${random}, sk_live_${random} or xoxb-1-${random}`,
  (random) => `keys: { p256dh: '${random}', auth: '${random}' }`,
  (random) => `config: { url: 'x', data: '{"text":"${random}"}' }, response: { data: 'gone' }`,
  (random) => `commonHeaders: { subject: "${random}" }`,
  (random) => `include_player_ids (not a UUID): ["${random}"]`,
  (random) => `334 VXNlcm5hbWU6 ${Buffer.from(random).toString('base64')}`,
  (random) => `sent ${Buffer.from(`${random}@x.example`).toString('base64')}`,
  () => 'app password qzxv hjkl mnbv wrty',
  () => 'qzxv-hjkl-mnbv-wrty',
  ...[
    'Your code is 482913',
    'OTP "482913"',
    "verification code '482913'",
    '482913 is your code',
    'Ihr Code lautet "482913"',
  ].map((words) => () => words),
  ...['Votre code: 482 913', 'Su código es 482913', 'Ваш код: «482913»', '验证码：482913', '認証コード「482913」'].map(
    (words) => () => words,
  ),
];

const CODES = cases.codes;

const sentence = fc.constantFrom(...IN_TWELVE_LANGUAGES);
const published = (text: string) => textForEveryone(scrub(text));
/** What people are shown of a sentence: by itself, of any length, and in a provider's JSON. */
const shownOf = (said: string) => [published(said), scrubInFull(said), published(JSON.stringify({ said, [said]: 1 }))];
const digitsIn = (text: string) => text.replace(/[^\d•]/g, '');

describe('what a provider writes', () => {
  test('is published without a phone number of any form, in any language', () => {
    fc.assert(
      fc.property(sentence, aPhone, (words, { text, national }) => {
        for (const shown of shownOf(words(text))) expect(digitsIn(shown)).not.toContain(national);
      }),
      RUNS,
    );
  });

  test('is published without an address or who has it, in any notation and language', () => {
    fc.assert(
      fc.property(sentence, fc.constantFrom(...ADDRESSES), word, word, (words, address, first, last) => {
        const [jane, roe] = [first, last].map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
        const written = address.replace('jane', first).replace('roe', last);
        const said = words(written.replace('Jane', jane ?? '').replace('Roe', roe ?? ''));
        for (const shown of shownOf(said)) {
          expect(shown.toLowerCase()).not.toContain(last);
          expect(shown.toLowerCase()).not.toContain(first);
        }
      }),
      RUNS,
    );
  });

  test('is published without a secret of a known form, in any language', () => {
    fc.assert(
      fc.property(sentence, fc.constantFrom(...SECRETS), key, (words, secret, random) => {
        for (const shown of shownOf(words(secret(random))))
          expect(shown).not.toMatch(new RegExp(`${random}|${random.slice(0, 8)}|${inBase64(random)}|482913|qzxv`));
      }),
      RUNS,
    );
  });

  test('is published with all of its codes, times and IDs, beside a phone number too', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CODES), aPhone, (code, { text }) => {
        expect(published(code)).toBe(code);
        expect(published(`${code}: ${text}`)).toContain(code);
        expect(published(`${text}, ${code}`)).toContain(code);
      }),
      RUNS,
    );
  });
});
