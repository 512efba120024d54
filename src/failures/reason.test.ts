import { describe, expect, test } from 'vitest';
import { reasonIn, saysNothing } from './reason.ts';

const reasonOf = (response: unknown) => reasonIn(typeof response === 'string' ? response : JSON.stringify(response));

describe('a sentence', () => {
  test.each(['', ' Bad Request! ', 'Unexpected provider error.', '404 Not Found', 'hard bounce', '[object Object]'])(
    'says nothing: %j',
    (sentence) => {
      expect(saysNothing(sentence)).toBe(true);
    },
  );

  test.each(['Bad request: no recipient', 'Bad Request..', 'Mailbox full'])('says something: %j', (sentence) => {
    expect(saysNothing(sentence)).toBe(false);
  });
});

describe("a response's reason", () => {
  test.each<[what: string, response: unknown, sentence: string | null]>([
    ['text', ' Mailbox full ', 'Mailbox full'],
    ['text with a brace', 'Failed at {user}', 'Failed at {user}'],
    ['text in quotes', '"Mailbox full"', 'Mailbox full'],
    ['text with quotes', 'The "Inbox" is "full" now', 'The "Inbox" is "full" now'],
    ['text that ends with a quote', 'No user "Ann"', 'No user "Ann"'],
    ['text that begins with a quote', '"Ann" is no user', '"Ann" is no user'],
    ['an error', 'TypeError: not a function\n    at send (/app/send.js:1:2)\n    at /app/x.js', 'not a function'],
    ['nothing', '', null],
    ['blanks', '  ', null],
    ['numbers', '17 18', null],
    ['text with numbers', '17 users', '17 users'],
    ['users and numbers', 'users 17', 'users 17'],
    ['an empty object', {}, null],
    ['an object of other things', { ok: false, message: null, errors: [true] }, null],
    ['JSON after blanks', '  {"message":"Mailbox full"}', 'Mailbox full'],
    ['JSON in a field', { error: ' {"message":"Mailbox full"}' }, 'Mailbox full'],
    ['a list in a field', { error: '["Mailbox full"]' }, 'Mailbox full'],
    ['what only begins like JSON', { message: '[alert] Mailbox full' }, '[alert] Mailbox full'],
    ['what only begins like JSON, in a list', { errors: ['[alert] Mailbox full'] }, '[alert] Mailbox full'],
    ['text in quotes with blanks', '" Mailbox full "', 'Mailbox full'],
    ['what has a brace', { message: 'No user {name}' }, 'No user {name}'],
    ['a field in capitals', { Message: 'Mailbox full' }, 'Mailbox full'],
    ['a text with blanks', { message: '  Mailbox full ' }, 'Mailbox full'],
    ['the outermost of two', { error: { message: 'inner' }, message: 'outer' }, 'outer'],
    ['the most informative of two', { title: 'Refused', message: 'Mailbox full' }, 'Mailbox full'],
    ['a sentence rather than a code', { message: 'invalid_grant', title: 'Token expired' }, 'Token expired'],
    ['a code rather than nothing', { message: 'Bad Request', title: 'invalid_grant' }, 'invalid_grant'],
    ['a sentence that says little', { message: 'Bad Request', other: 'Mailbox full' }, 'Bad Request'],
    ['a sentence rather than a number', { message: '17 18', title: 'Mailbox full' }, 'Mailbox full'],
    ['a number', { message: 17 }, null],
    ['truncated JSON', '{"Message":"Mailbox \\"in\\"\\nis full","x":"', 'Mailbox "in" is full'],
    ['truncated JSON with a backslash', '{"message":"No C:\\\\mail","x":"', 'No C:\\mail'],
    ['truncated JSON in blanks', '{"message" : " Mailbox full ","x":"', 'Mailbox full'],
    ['truncated JSON with an empty object', '{"message":"{}","title":"Mailbox full","x":"', 'Mailbox full'],
  ])('is the sentence of %s', (_, response, sentence) => {
    expect(reasonOf(response).sentence).toBe(sentence);
  });

  test.each<[what: string, response: unknown, code: string | null]>([
    ['text', 'Error 401', null],
    ['truncated JSON', '{"Code":21211,"x":"', '21211'],
    ['the provider, before an HTTP status', { status: 400, code: 21211 }, '21211'],
    ['the provider, by its area', { code: 'INVALID_ARGUMENT', status: 'messaging/quota' }, 'messaging/quota'],
    ['the provider, before a name', { errorCode: 'UNREGISTERED', code: 21211 }, '21211'],
    ['an enhanced status, before an HTTP status', { code: 400, status: '5.7.501' }, '5.7.501'],
    ['an enhanced status', { code: '5.7.133' }, '5.7.133'],
    ['a field with blanks', { error: ' invalid_grant ' }, 'invalid_grant'],
    ['truncated JSON with blanks', '{"error":" invalid_grant ","x":"', 'invalid_grant'],
    ['the provider, by a name', { status: 400, error: 'invalid_grant' }, 'invalid_grant'],
    ['HTTP, before the client', { code: 'EAUTH', status: 401 }, '401'],
    ['HTTP, for a failed server', { code: 'ERR_BAD_RESPONSE', status: 503 }, '503'],
    ['the client', { code: 'ECONNRESET' }, 'ECONNRESET'],
    ['the client, by its class', { code: 'ERR_BAD_REQUEST' }, 'ERR_BAD_REQUEST'],
    ['a name that only begins like one of the client', { code: 'EXPIRED_TOKEN', status: 400 }, 'EXPIRED_TOKEN'],
    ['the first of two alike', { errorCode: 21211, code: 30003 }, '21211'],
    ['nothing: a status without an error', { status: 200 }, null],
    ['nothing: a name without information', { status: 'FAILED' }, null],
    ['a small number, with its field', { status: 4 }, 'status=4'],
    ['an error code that looks like a status, with its field', { errorCode: 405 }, 'errorcode=405'],
    ['a name of the provider', { name: 'MessageRejected', statusCode: 400 }, 'MessageRejected'],
    ['nothing: a sentence', { code: 'Not a code' }, null],
    ['nothing: another field', { id: 21211 }, null],
  ])('has the code of %s', (_, response, code) => {
    expect(reasonOf(response).code).toBe(code);
  });

  test('is found in up to six levels of a response, and among up to 300 of its parts', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'Mailbox full' : { message: nested(levels - 1) });
    expect(reasonOf(nested(5)).sentence).toBe('Mailbox full');
    expect(reasonOf(nested(6)).sentence).toBeNull();
    const last = (parts: number) => [...Array.from({ length: parts - 1 }, () => null), 'Mailbox full'];
    expect(reasonOf(last(300)).sentence).toBe('Mailbox full');
    expect(reasonOf(last(301)).sentence).toBeNull();
  });
});
