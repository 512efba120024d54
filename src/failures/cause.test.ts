import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FreeText } from '../lib/text/scrub.ts';
import { causeOf, sentenceIn } from './cause.ts';

function cause(detail: string, raw?: string | object) {
  const text = raw === undefined ? null : typeof raw === 'string' ? raw : JSON.stringify(raw);
  return causeOf({
    detail: new FreeText(detail),
    raw: text === null ? null : new FreeText(text),
  });
}

const PROVIDER_ERROR = 'Unexpected provider error';

function sendGrid(message: string, code: number, title = 'Unauthorized') {
  return {
    code,
    message: title,
    response: { headers: { server: 'nginx' }, body: { errors: [{ message, field: null, help: null }] } },
  };
}

describe("a cause's text", () => {
  test.each<[from: string, detail: string, raw: string | object | undefined, text: string]>([
    [
      'SMTP, a line',
      PROVIDER_ERROR,
      'Error: 550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown\n    at SMTPConnection._formatError (/app/node_modules/nodemailer/lib/smtp.js:784:19)',
      '550 5.1.1 <a•••@example.com>: Recipient address rejected: User unknown',
    ],
    ['a bounce in the words of its webhook', ' - (bounced)', { event: 'bounce', reason: '550 Gone' }, '550 Gone'],
    ['a webhook', 'null - (undelivered)', { MessageStatus: 'undelivered', reason: 'Phone off' }, 'Phone off'],
    [
      'a part with more words',
      'Webhook filter failed for step 2',
      { message: 'Timed out' },
      'Webhook filter failed for step 2: Timed out',
    ],
    ['a part with only a code', 'Bridge execution failed', { status: 503 }, 'Bridge execution failed (503)'],
    ['the service, with the code', 'It went wrong', { error: 'is_archived' }, 'It went wrong (is_archived)'],
    ['the detail, which is JSON', '{"message":"Mailbox full","code":21211}', undefined, 'Mailbox full (21211)'],
    ['the answer, as the detail is JSON without a reason', '{"message":"Bad Request"}', 'Mailbox full', 'Mailbox full'],
    ['one that both say', 'Mailbox is full.', { message: 'mailbox  is full' }, 'Mailbox is full.'],
    ['the one that says more', 'Mailbox is full since May', 'mailbox is full', 'Mailbox is full since May'],
    ['a detail that begins with null', 'null pointer', undefined, 'null pointer'],
    ['a detail that ends with undefined', 'x is undefined', undefined, 'x is undefined'],
    ['a sentence with marks at its end', PROVIDER_ERROR, { message: 'Refused..', code: 21211 }, 'Refused (21211)'],
    [
      'a mail server, with the command that it refused',
      PROVIDER_ERROR,
      { code: 'EENVELOPE', response: '550 Refused', responseCode: 550, command: 'MAIL FROM' },
      '550 Refused (in reply to MAIL FROM)',
    ],
    [
      'Exim',
      'bounced',
      'SMTP error from remote mail server after pipelined MAIL FROM:<a@b.example> SIZE=1: 550 Refused',
      '550 Refused (in reply to MAIL FROM)',
    ],
    [
      'Postfix',
      'bounced',
      `550 ${'x'.repeat(300)} (in reply to end of DATA command)`,
      `550 ${'x'.repeat(176)}… (in reply to DATA)`,
    ],
    ['nobody, with a code', PROVIDER_ERROR, { status: 503 }, 'Unexpected provider error (503)'],
  ])('comes from %s', (_, detail, raw, text) => {
    expect(cause(detail, raw).text).toBe(text);
  });

  test('has up to 200 characters, and is cut after a whole word or character', () => {
    expect(cause('x'.repeat(200)).text).toBe('x'.repeat(200));
    expect(cause(PROVIDER_ERROR, { message: 'x'.repeat(300), code: 21211 }).text).toMatch(/^x{191}… \(21211\)$/);
    expect(cause(`${'x'.repeat(198)} yyy`).text).toBe(`${'x'.repeat(198)}…`);
    expect(cause(`${'x'.repeat(198)}🎉🎉`).text).toBe(`${'x'.repeat(198)}…`);
  });

  test('is found in truncated JSON', () => {
    const raw = { ...sendGrid('Maximum credits exceeded', 401), request: 'padding '.repeat(1_000) };
    expect(cause(PROVIDER_ERROR, raw).text).toBe('Maximum credits exceeded (401)');
  });

  test('has at most 200 characters, no secret and a key, for any input', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.string(), fc.json()), (detail, raw) => {
        const { text, key } = cause(detail, `${raw} anna.schmidt@example.com`);
        expect(text.length).toBeLessThanOrEqual(200);
        expect(text + key).not.toContain('anna.schmidt');
        expect(key.length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe("a cause's key", () => {
  test.each<[what: string, a: string | object, b: string | object]>([
    [
      'recipients',
      '550 5.1.1 <anna@example.com>: Recipient address rejected',
      '550 5.1.1 <bob@example.org>: Recipient address rejected',
    ],
    ['time-outs', 'timeout of 10000ms exceeded', 'timeout of 5000ms exceeded'],
    ['addresses', 'connect ECONNREFUSED 10.0.0.1:587', 'connect ECONNREFUSED 10.2.44.1:587'],
    ['hex ids', 'No template 65f3a1b2c3d4e5f6a7b8c9d0', 'No template 65f3a1b2c3d4e5f6a7b8c9d1'],
    ['subscribers', 'Subscriber "user-0042" is blocked', 'Subscriber "anna" is blocked'],
    [
      'a code in the words and beside them',
      { message: 'Response code 429 (Too Many)', statusCode: 429 },
      'Response code 429 (Too Many)',
    ],
    ['a code that is the sentence', { error: 'invalid_grant' }, 'invalid_grant'],
    ['lists of numbers', 'Tried 10, 11, 12', 'Tried 10'],
    ['marks at the ends', '-- Refused  now!!', 'Refused now'],
    ['a status at the end', 'Refused with 401.', 'Refused with 401'],
    ['IDs in quotes', 'Failed: error "user-0042"', 'Failed: error "user-0043"'],
    ['numbers in quotes', 'Failed: error "0042-user"', 'Failed: error "0043-user"'],
    ['three digits that are no status', 'No route in building 401', 'No route in building 500'],
    ['a code in capitals', { code: 'messaging/Invalid-Argument', message: 'No' }, 'No (messaging/invalid-argument)'],
  ])('is the same for %s', (_, a, b) => {
    expect(cause(PROVIDER_ERROR, a).key).toBe(cause(PROVIDER_ERROR, b).key);
  });

  test.each<[what: string, a: string | object, b: string | object]>([
    ['HTTP statuses', 'Request failed with status code 401', 'Request failed with status code 500'],
    ["WhatsApp's codes", '(#131047) Message undeliverable', '(#131026) Message undeliverable'],
    [
      "FCM's codes",
      { code: 'messaging/invalid-argument', message: 'No' },
      { code: 'messaging/mismatched-credential', message: 'No' },
    ],
    ['codes of the same words', sendGrid('Refused', 401), sendGrid('Refused', 403)],
    ['statuses of HTTP', 'Got HTTP 401 back', 'Got HTTP 500 back'],
    ['statuses with an enhanced one', 'Got 550-5.1.1 now', 'Got 550-5.7.1 now'],
    ['names of errors in quotes', 'Failed: error "not_an_address"', 'Failed: error "not_a_number"'],
  ])('differs for %s', (_, a, b) => {
    expect(cause(PROVIDER_ERROR, a).key).not.toBe(cause(PROVIDER_ERROR, b).key);
  });

  test('has at most 200 characters, and its code', () => {
    expect(cause('word '.repeat(100)).key).toHaveLength(200);
    expect(cause(PROVIDER_ERROR, { message: 'word '.repeat(100), code: 21211 }).key).toMatch(/^.{200} \(21211\)$/);
  });
});

describe("an error text's sentence", () => {
  test.each([
    ['{"message":"Unauthorized","code":401,"headers":{"Authorization":"Bearer abc"}}', 'Unauthorized (401)'],
    ['Mailbox full', 'Mailbox full'],
  ])('is found in %s', (text, sentence) => {
    expect(sentenceIn(new FreeText(text))).toBe(sentence);
  });
});
