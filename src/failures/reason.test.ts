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
    ['text in quotes', '"Mailbox full"', 'Mailbox full'],
    ['an error', 'TypeError: not a function\n    at send (/app/send.js:1:2)\n    at /app/x.js', 'not a function'],
    ['an empty object', {}, null],
    ['JSON after blanks', '  {"message":"Mailbox full"}', 'Mailbox full'],
    ['a list in a field', { error: '["Mailbox full"]' }, 'Mailbox full'],
    ['what only begins like JSON, in a list', { errors: ['[alert] Mailbox full'] }, '[alert] Mailbox full'],
    ['the most informative of two', { title: 'Refused', message: 'Mailbox full' }, 'Mailbox full'],
    ['a code rather than nothing', { message: 'Bad Request', title: 'invalid_grant' }, 'invalid_grant'],
    ['a sentence rather than a number', { message: '17 18', title: 'Mailbox full' }, 'Mailbox full'],
    ['text that only begins in quotes', '"Mailbox" is full', '"Mailbox" is full'],
    ['text over lines', 'Mailbox  \n is full', 'Mailbox is full'],
    ['nothing', '  ', null],
    ['a sentence, rather than a code before it', { message: 'invalid_grant', title: 'Mailbox full' }, 'Mailbox full'],
    ['nothing: what was sent', { data: { message: 'Hello Anna' } }, null],
    ['nothing: what was sent, repeated by the answer', { response: { data: 'Hello Anna' } }, null],
    ['an answer', { response: { data: { message: 'Mailbox full' } } }, 'Mailbox full'],
    ['JSON after the name of its class', 'HTTPError: {"errors":["Mailbox full"]}', 'Mailbox full'],
    [
      'a struct of Go',
      '{400 Mailbox full. 21408 https://docs.example}',
      '400 Mailbox full. 21408 https://docs.example',
    ],
    [
      'a request, named in prose',
      "Error sending POST request: 'Mailbox full'",
      "Error sending POST request: 'Mailbox full'",
    ],
    [
      "a webhook's own error",
      { data: { payload: { errors: [{ code: '40300', title: 'Mailbox full' }] } } },
      'Mailbox full',
    ],
    ["a webhook's own reason", { payload: { code: 1003, reason: 'Mailbox full' } }, 'Mailbox full'],
    ['an answer that calls it text', { code: 'blocked_account', text: 'Mailbox full', status: 403 }, 'Mailbox full'],
    ['nothing: a code that was sent', { payload: { code: 553311, message: 'Hello Anna' } }, null],
    ['nothing: a reason that was sent', { config: { data: { code: 553311, reason: 'Hello Anna' } } }, null],
    ['no hidden field', { _message: 'Hello', reason: 'Mailbox full' }, 'Mailbox full'],
    ['truncated lists', '{"errors":[{"message":"Mailbox {full}, sorry"},{"message":"x', 'Mailbox {full}, sorry'],
    ['truncated JSON with quotes', '{"message":"Mailbox \\"A, B\\" full","x":"', 'Mailbox "A, B" full'],
    ['truncated JSON', '{"Message":"Mailbox \\"in\\"\\nis full","x":"', 'Mailbox "in" is full'],
    ['truncated JSON in blanks', '{"message" : " Mailbox full ","x":"', 'Mailbox full'],
  ])('is the sentence of %s', (_, response, sentence) => {
    expect(reasonOf(response).sentence).toBe(sentence);
  });

  test.each<[what: string, response: unknown, code: string | null]>([
    ['text', 'Error 401', null],
    ['the provider, before an HTTP status', { status: 400, code: 21211 }, '21211'],
    ['the provider, before a name', { errorCode: 'UNREGISTERED', code: 21211 }, '21211'],
    ['an enhanced status', { code: '5.7.133' }, '5.7.133'],
    ['truncated JSON with blanks', '{"error":" invalid_grant ","x":"', 'invalid_grant'],
    ['HTTP, before the client', { code: 'EAUTH', status: 401 }, '401'],
    ['the client', { code: 'ECONNRESET' }, 'ECONNRESET'],
    ['a name that only begins like one of the client', { code: 'EXPIRED_TOKEN', status: 400 }, 'EXPIRED_TOKEN'],
    ['nothing: a status without an error', { status: 200 }, null],
    ['a small number, with its field', { status: 4 }, 'status=4'],
    ['a name of the provider', { name: 'MessageRejected', statusCode: 400 }, 'MessageRejected'],
    ['nothing: another field', { id: 21211 }, null],
    ['nothing: a name in another field', { title: 'MessageRejected' }, null],
    ['AWS, in its type', { __type: 'com.amazonaws.sns#OptedOutException' }, 'OptedOutException'],
    ['the error in its details', { status: 'error', details: { error: 'DeviceNotRegistered' } }, 'DeviceNotRegistered'],
    ['a small number before an HTTP status', { code: 7, status: 401 }, 'code=7'],
    ['a name before a small number', { code: 7, errorCode: 'UNREGISTERED' }, 'UNREGISTERED'],
    ['the provider, in three digits', { errcode: 401 }, 'errcode=401'],
    ['HTTP, before the client of JavaScript', { code: 'ERR_BAD_REQUEST', status: 400 }, '400'],
  ])('has the code of %s', (_, response, code) => {
    expect(reasonOf(response).code).toBe(code);
  });
});
