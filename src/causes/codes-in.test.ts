import { describe, expect, test } from 'vitest';
import { fieldName } from '../failures/reason.ts';
import { codesIn, LONGEST_READ } from './codes-in.ts';

const written = (codes: ReturnType<typeof codesIn>) =>
  codes.map(({ field, value }) => (field === null ? value : `${field}=${value}`));
const inText = (text: string) => written(codesIn(text));

describe('the codes that a text names', () => {
  test.each<[text: string, codes: string[]]>([
    ['Refused, error code: 21211', ['errorcode=21211']],
    ['Refused with Error-Code=InvalidToken.', ['errorcode=invalidtoken']],
    ['Token expired (190)', ['190']],
    ['Token expired (190). ', ['190']],
    ['400 invalid_grant', ['invalid_grant']],
    ['Message undeliverable (#131026) today', ['code=131026']],
    ['Unregistered', ['unregistered']],
    ['InvalidParameter: no such topic', ['invalidparameter']],
    ['12a3: refused', ['12a3']],
    ['connect ECONNREFUSED 10.0.0.1', ['shouted=econnrefused']],
    ['It was refused (bounceclass=22)', ['bounceclass=22']],
    ['failed with status 503', ['status=503']],
    ['Not sent: 550 Mailbox gone', ['smtp=550']],
    ['the server said: 421-Too busy', ['smtp=421']],
    ['550-5.7.26 This mail was blocked', ['enhanced=5.7.26', 'smtp=550']],
    ['See https://www.twilio.com/docs/errors/30007 for more', ['code=30007']],
    ['the status was 5.1.1 (#5.7.26)', ['#5.7.26', 'enhanced=5.7.26']],
  ])('are those in the usual places: %s', (text, codes) => {
    expect(inText(text)).toEqual(codes);
  });

  test.each(['550: nothing', 'the server said: 450 messages are waiting', 'a sentence (with words in brackets)'])(
    'are no numbers of anything else: %s',
    (text) => {
      expect(inText(text)).toEqual([]);
    },
  );

  test('are at most 60, in the first 2,000 characters, whatever blanks are around them', () => {
    expect(inText(`  Unregistered  `)).toEqual(['unregistered']);
    expect(inText('code: 12345, '.repeat(100))).toHaveLength(60);
    const far = (blanks: number) => inText(`${'x '.repeat(blanks / 2)}: code: 12345`);
    expect(far(LONGEST_READ - 20)).toEqual(['code=12345']);
    expect(far(LONGEST_READ)).toEqual([]);
  });
});

test.each(['err-code', 'Err Code', 'errCode', 'ERR_CODE'])(
  'a field has one name, however it is written: %s',
  (name) => {
    expect(fieldName(name)).toBe('errcode');
  },
);
