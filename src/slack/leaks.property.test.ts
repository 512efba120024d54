import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPhone, IN_TWELVE_LANGUAGES } from '../lib/text/contact-ids.testing.ts';
import { scrub, scrubInFull } from '../lib/text/scrub.ts';
import { textForEveryone } from './kit/for-everyone.ts';

/** For more certainty: `npm run test:fuzz`. */
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) };

const sentence = fc.constantFrom(...IN_TWELVE_LANGUAGES);
const published = (text: string) => textForEveryone(scrub(text));
const digitsIn = (text: string) => text.replace(/[^\d•]/g, '');

describe('what a provider writes', () => {
  test('is published without a phone number of any form, in any language', () => {
    fc.assert(
      fc.property(sentence, aPhone, (words, { text, national }) => {
        const said = words(text);
        for (const shown of [published(said), scrubInFull(said), published(JSON.stringify({ said, [said]: 1 }))])
          expect(digitsIn(shown)).not.toContain(national);
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
        for (const shown of [published(said), scrubInFull(said), published(JSON.stringify({ said, [said]: 1 }))]) {
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
        const said = words(secret(random));
        for (const shown of [published(said), scrubInFull(said), published(JSON.stringify({ said }))])
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

const word = fc.stringMatching(/^[b-df-hj-np-tv-z]{5,9}$/);
const key = fc.stringMatching(/^[A-Z][a-z][0-9][A-Za-z0-9]{19}$/);
const inBase64 = (text: string) => Buffer.from(text).toString('base64').slice(0, 16);

const ADDRESSES = [
  ...['jane.roe@customer.example', 'Jane Roe <jane.roe@customer.example>', '"Jane Roe" <jane.roe@customer.example>'],
  ...['jane.roe(at)customer.example', 'jane.roe [at] customer [dot] example', '"jane roe"@customer.example'],
  ...['jane.roe%40customer.example', 'jane+roe@xn--exmple-cua.org', 'bounce+1-jane.roe=customer.example@m.example.org'],
  ...[
    'cn=0a1b2c-jane.roe',
    'CN=Jane Roe,OU=People',
    "Recipient 'Jane Roe'",
    'Empfänger „Jane Roe“',
    'ｊane.roe＠customer.example',
  ],
  ...[
    'destinataire « Jane Roe »',
    'получатель «Jane Roe»',
    '收件人「Jane Roe」',
    "jane'roe@customer.example",
    'jane#roe@customer.example',
  ],
];

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

const CODES = [
  ...['550 5.1.1', '550-5.7.1', '421 4.7.0', '535 5.7.139', '5.1.10', '250 2.0.0', 'error code: 21211', 'Error 30007'],
  ...['undelivered (30007)', 'errcode=6', '(#131047)', '(#2494010)', 'error_subcode: 2388093', 'code 2147943645'],
  ...['errno: -2147467259', 'AADSTS7000215', '404 10015', 'HTTP 429', 'status=503', 'x [417] OFR004_405', 'AS(7230)'],
  ...['ERR_SOCKET_CONNECTION_TIMEOUT', 'IP 192.168.100.200:587', '[203.0.113.7]', '4.16.55.1', '15.20.7452.25'],
  ...['Chrome/120.0.6099.130', '2024-01-15 12:00:01.123', '15.01.24 12:00', '01/15/2024', '20240115120000', '20240115'],
  ...['1705320000', '1705320000.123', '1705320000123', '2026-11-28T07:38:18.123+01:00', '0.35250:0A007C85'],
  ...['Sat Nov 28 2026 07:38:18 GMT', 'index.js:1:1234567', '65f3a1b2c3d4e5f6a7b8c9d0', '106540352242922876'],
  ...['00000000-0000-0000-0000-000000000000', '550e8400-e29b-41d4-a716-446655440000', '4Xyz1B2c3dz9'],
  ...['ERR_NON_2XX_3XX_RESPONSE', '01J9ZK3Q5V8X2T4R6N7M8P9ABC', '1McHM6-1srIWI1qNo-00dbDH', 'AUTH LOGIN failed'],
  ...['sandboxe1164ceef2a340a89c348279b0dde46b.mailgun.org', 'SMbeb97038066158ae063d47bb53357dcd', 'npx name@latest'],
  ...['d2e1a72fcca58-7b1a2b3c4d5si12345678b3a.123 - gsmtp', 'axios@1.15.0', 'credentials: Token must be set'],
  ...['0100018c1a2b3c4d-5e6f7a8b-1234-5678-9abc-def012345678-000000', "sender 'Acme Support'", 'Basic plan'],
  ...['k8si1534884ejk.54 - gsmtp', 'limit: 26214400', 'of 35882577 bytes', 'after 86400000 ms'],
  ...['order no. 12345678', 'template_id=12345678', '#12345678'],
];
