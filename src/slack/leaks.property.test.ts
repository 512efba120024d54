import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aPhone, IN_TWELVE_LANGUAGES } from '../lib/text/contact-ids.testing.ts';
import { scrub, scrubInFull } from '../lib/text/scrub.ts';
import { textForEveryone } from './kit/for-everyone.ts';

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
      { numRuns: 1_000 },
    );
  });

  test('is published with all of its codes, times and IDs, beside a phone number too', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CODES), aPhone, (code, { text }) => {
        expect(published(code)).toBe(code);
        expect(published(`${code}: ${text}`)).toContain(code);
        expect(published(`${text}, ${code}`)).toContain(code);
      }),
      { numRuns: 1_000 },
    );
  });
});

const CODES = [
  ...['550 5.1.1', '550-5.7.1', '421 4.7.0', '535 5.7.139', '5.1.10', '250 2.0.0', 'error code: 21211', 'Error 30007'],
  ...['undelivered (30007)', 'errcode=6', '(#131047)', '(#2494010)', 'error_subcode: 2388093', 'code 2147943645'],
  ...['errno: -2147467259', 'AADSTS7000215', '404 10015', 'HTTP 429', 'status=503', 'x [417] OFR004_405', 'AS(7230)'],
  ...['ERR_SOCKET_CONNECTION_TIMEOUT', 'IP 192.168.100.200:587', '[203.0.113.7]', '4.16.55.1', '15.20.7452.25'],
  ...['Chrome/120.0.6099.130', '2024-01-15 12:00:01.123', '15.01.24 12:00', '01/15/2024', '20240115120000', '20240115'],
  ...['1705320000', '1705320000.123', '1705320000123', '2026-11-28T07:38:18.123+01:00', '0.35250:0A007C85'],
  ...['Sat Nov 28 2026 07:38:18 GMT', 'index.js:1:1234567', '65f3a1b2c3d4e5f6a7b8c9d0', '106540352242922876'],
  ...['00000000-0000-0000-0000-000000000000', '550e8400-e29b-41d4-a716-446655440000', '4Xyz1B2c3dz9'],
  ...['k8si1534884ejk.54 - gsmtp', 'limit: 26214400', 'of 35882577 bytes', 'after 86400000 ms'],
  ...['order no. 12345678', 'template_id=12345678', '#12345678'],
];
