import { describe, expect, test } from 'vitest';
import { fieldName } from '../failures/answer.ts';
import { codesIn, codesInAnswer, LONGEST_READ } from './codes-in.ts';

/** Returns codes as `field=value`, or the value alone. */
const written = (codes: ReturnType<typeof codesIn>) =>
  codes.map(({ field, value }) => (field === null ? value : `${field}=${value}`));
const inText = (text: string) => written(codesIn(text));
const inAnswer = (answer: unknown) =>
  written(codesInAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer)));

describe('the codes that a text names', () => {
  test.each<[text: string, codes: string[]]>([
    ['Refused, error code: 21211', ['errorcode=21211']],
    ['Refused with Error-Code=InvalidToken.', ['errorcode=invalidtoken']],
    ['Refused, status code: ends-here./-', ['statuscode=ends-here']],
    ['Token expired (190)', ['190']],
    ['Token expired (190). ', ['190']],
    ['[messaging/quota] Too many', ['messaging/quota']],
    ['400 invalid_grant', ['invalid_grant']],
    ['Message undeliverable (#131026) today', ['code=131026']],
    ['See https://www.twilio.com/docs/errors/30007 for more', ['code=30007']],
    ['Unregistered', ['unregistered']],
    ['InvalidParameter: no such topic', ['invalidparameter']],
    ['30007', ['30007']],
    ['12a3: refused', ['12a3']],
    ['connect ECONNREFUSED 10.0.0.1', ['shouted=econnrefused']],
    ['550 5.1.1 User unknown', ['enhanced=5.1.1', 'smtp=550']],
    ['the server said: 450', ['smtp=450']],
    ['450 Try again', ['smtp=450']],
    ['the server said: 421-Too busy', ['smtp=421']],
    ['the status was 5.1.1 (#5.7.26)', ['#5.7.26', 'enhanced=5.7.26']],
  ])('are those in the usual places: %s', (text, codes) => {
    expect(inText(text)).toEqual(codes);
  });

  test.each([
    '550: nothing',
    'error 550 messages were left',
    'the server said: 450 messages are waiting',
    'they have 550 users',
    'a sentence (with words in brackets)',
  ])('are no numbers of anything else: %s', (text) => {
    expect(inText(text)).toEqual([]);
  });

  test('are at most 60, in the first 2,000 characters, whatever blanks are around them', () => {
    expect(inText(`  Unregistered  `)).toEqual(['unregistered']);
    expect(inText('code: 12345, '.repeat(100))).toHaveLength(60);
    const far = (blanks: number) => inText(`${'x '.repeat(blanks / 2)}code: 12345`);
    expect(far(LONGEST_READ - 20)).toEqual(['code=12345']);
    expect(far(LONGEST_READ)).toEqual([]);
  });
});

describe("the codes in a provider's response", () => {
  test.each<[what: string, answer: unknown, codes: string[]]>([
    [
      'fields that hold codes',
      { errorCode: 21211, 'err-type': 'OAuth', id: 9, message: 'No' },
      ['errorcode=21211', 'errtype=oauth'],
    ],
    ['the outermost first', { error: { code: 1, more: null }, code: 2 }, ['code=2', 'code=1']],
    ['a list', [{ code: 'a1' }, { code: 'b2' }], ['code=a1', 'code=b2']],
    ['a list of codes', { code: ['a1', 2] }, ['code=a1', 'code=2']],
    ['JSON in a text', { error: ' {"code":17}' }, ['code=17']],
    ['JSON in a text of JSON', '"{\\"code\\":17}"', ['code=17']],
    ['a text with a bracket', { reason: '[alert', code: 5 }, ['reason=[alert', 'code=5']],
    ['values with blanks around them', { code: ' 17 ' }, ['code=17']],
    ['an answer with blanks around it', ' {"subtype":"OAuth"} ', ['subtype=oauth']],
    ['a number in a text as it is written there', { code: '4.10' }, ['code=4.10']],
    ['what a long text is beside', { note: 'x'.repeat(400), error: { more: { code: 17 } } }, ['code=17']],
    ['no sentence', { reason: 'The mailbox is full', error: 'Mailbox full' }, []],
    [
      'no empty and no long value',
      { reason: '', code: 'x'.repeat(81), type: 'y'.repeat(80) },
      [`type=${'y'.repeat(80)}`],
    ],
    ['nothing but texts and numbers', { code: true, status: null, error: { type: {} } }, []],
    [
      'nothing that was sent',
      { config: { code: 1 }, headers: { status: 2 }, _body: { code: 3 }, status: 4 },
      ['status=4'],
    ],
    ['a truncated answer', '{"Error-Code":"E17","status": 400,"reason":"', ['errorcode=e17', 'status=400']],
    ['a text', 'Token expired (190)', ['190']],
    ['a text with a brace', 'No {field}, code: 17', ['code=17']],
  ])('are of %s', (_, answer, codes) => {
    expect(inAnswer(answer)).toEqual(codes);
  });

  test('are at most 60, in at most six levels and 300 fields', () => {
    expect(inAnswer(Array.from({ length: 100 }, (_, code) => ({ code })))).toHaveLength(60);
    const nested = (levels: number): unknown => (levels === 0 ? 17 : { code: nested(levels - 1) });
    expect(inAnswer(nested(5))).toEqual(['code=17']);
    expect(inAnswer(nested(6))).toEqual([]);
    const among = (others: number) =>
      inAnswer([...Array.from({ length: others }, () => ({ note: 'x' })), { code: 17 }]);
    expect(among(299)).toEqual(['code=17']);
    expect(among(300)).toEqual([]);
    const texts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`note${n}`, 'x']));
    const below = (count: number) => inAnswer({ note: 'x', error: { more: { code: 17 }, ...texts(count - 1) } });
    expect(below(299)).toEqual(['code=17']);
    expect(below(300)).toEqual([]);
  });

  test('are in its first 8,000 characters', () => {
    const padded = (length: number) => inAnswer(`${'x '.repeat(length / 2)}`.concat('code: 17'));
    expect(padded(1_900)).toEqual(['code=17']);
    expect(inAnswer(`{"code": 17, "note": "${'x'.repeat(9_000)}"}`)).toEqual(['code=17']);
    expect(inAnswer(`{"note": "${'x'.repeat(9_000)}", "code": 17}`)).toEqual([]);
  });
});

test.each(['err-code', 'Err Code', 'errCode', 'ERR_CODE'])(
  'a field has one name, however it is written: %s',
  (name) => {
    expect(fieldName(name)).toBe('errcode');
  },
);
