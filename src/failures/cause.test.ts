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

const BOUNCE = { event: 'bounce', type: 'blocked', reason: '550 5.1.1 The account does not exist' };

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
      'the service',
      'Subscriber missing recipient details',
      { integrationId: 'x' },
      'Subscriber missing recipient details',
    ],
    [
      'SendGrid',
      PROVIDER_ERROR,
      sendGrid('The provided authorization grant is invalid, expired, or revoked', 401),
      'The provided authorization grant is invalid, expired, or revoked (401)',
    ],
    [
      'Twilio',
      PROVIDER_ERROR,
      {
        status: 400,
        code: 21211,
        moreInfo: 'https://www.twilio.com/docs/errors/21211',
        message: "The 'To' number is not a valid phone number",
      },
      "The 'To' number is not a valid phone number (21211)",
    ],
    [
      'SMTP, by nodemailer',
      'Provider error',
      {
        code: 'EAUTH',
        response: '535 5.7.8 Username and Password not accepted',
        responseCode: 535,
        command: 'AUTH PLAIN',
      },
      '535 5.7.8 Username and Password not accepted',
    ],
    [
      'SMTP, a line',
      PROVIDER_ERROR,
      'Error: 550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown\n    at SMTPConnection._formatError (/app/node_modules/nodemailer/lib/smtp.js:784:19)',
      '550 5.1.1 <a•••@example.com>: Recipient address rejected: User unknown',
    ],
    [
      'SES',
      PROVIDER_ERROR,
      { name: 'MessageRejected', $metadata: { httpStatusCode: 400 }, message: 'Email address is not verified.' },
      'Email address is not verified (MessageRejected)',
    ],
    [
      "SES's bounce",
      'Bounced',
      {
        notificationType: 'Bounce',
        bounce: { bouncedRecipients: [{ diagnosticCode: 'smtp; 550 5.2.2 mailbox full' }] },
      },
      'smtp; 550 5.2.2 mailbox full',
    ],
    [
      'a bounce that its webhook explains',
      'Message bounced',
      { event: 'bounce', type: 'blocked', reason: '550 5.1.1 The account does not exist', email: 'anna@example.com' },
      '550 5.1.1 The account does not exist',
    ],
    ['a bounce in the words of its webhook', ' - (bounced)', BOUNCE, '550 5.1.1 The account does not exist'],
    ['a bounce without an answer', 'undefined - (bounced)', BOUNCE, '550 5.1.1 The account does not exist'],
    ['a bounce without any reason', ' - (bounced)', undefined, 'bounced'],
    ['a drop', ' - (dropped)', { event: 'dropped', reason: 'Bounced Address' }, 'Bounced Address'],
    ['a drop, in a word', 'Dropped', { event: 'dropped', reason: 'Spam Reporting Address' }, 'Spam Reporting Address'],
    ['a webhook that adds its status', '552 5.2.2 Mailbox full - (bounced)', BOUNCE, '552 5.2.2 Mailbox full'],
    ['a webhook without a reason', 'null - (undelivered)', { MessageStatus: 'undelivered' }, 'undelivered'],
    ['a sentence with such an end', 'No address - (optional)', undefined, 'No address - (optional)'],
    [
      'a text that was not delivered',
      'Message could not be delivered',
      { MessageStatus: 'undelivered', ErrorCode: 30003, ErrorMessage: 'Unreachable destination handset' },
      'Unreachable destination handset (30003)',
    ],
    [
      'Mailgun',
      PROVIDER_ERROR,
      { status: 401, details: 'Forbidden', message: 'Invalid private key' },
      'Invalid private key (401)',
    ],
    [
      "Mailgun's details",
      PROVIDER_ERROR,
      { status: 400, message: 'Bad Request', details: 'Domain mg.example.com is not allowed to send' },
      'Domain mg.example.com is not allowed to send (400)',
    ],
    [
      "Postmark's details",
      'Message bounced',
      {
        Type: 'Blocked',
        Description: 'The message was rejected.',
        Details: 'smtp;550 5.7.1 Message rejected due to content restrictions',
      },
      'smtp;550 5.7.1 Message rejected due to content restrictions',
    ],
    ['OneSignal', PROVIDER_ERROR, { errors: ['app_id not found'] }, 'app_id not found'],
    [
      'Vonage',
      PROVIDER_ERROR,
      { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] },
      'Bad Credentials (status=4)',
    ],
    [
      'a generic title',
      PROVIDER_ERROR,
      { message: '402 Payment Required', errors: [{ title: 'No credit left' }] },
      'No credit left',
    ],
    [
      'FCM',
      PROVIDER_ERROR,
      { code: 'messaging/registration-token-not-registered', message: 'Requested entity was not found.' },
      'Requested entity was not found (messaging/registration-token-not-registered)',
    ],
    [
      "FCM's HTTP v1",
      PROVIDER_ERROR,
      {
        error: {
          code: 404,
          message: 'Requested entity was not found.',
          status: 'NOT_FOUND',
          details: [{ errorCode: 'UNREGISTERED' }],
        },
      },
      'Requested entity was not found (UNREGISTERED)',
    ],
    [
      'APNs',
      PROVIDER_ERROR,
      { device: 'a'.repeat(64), status: '410', response: { reason: 'Unregistered' } },
      'Unregistered (410)',
    ],
    [
      'OAuth',
      PROVIDER_ERROR,
      { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
      'Token has been expired or revoked (invalid_grant)',
    ],
    ['Slack', PROVIDER_ERROR, { ok: false, error: 'channel_not_found' }, 'channel_not_found'],
    [
      'axios',
      PROVIDER_ERROR,
      { message: 'Request failed with status code 404', name: 'AxiosError', code: 'ERR_BAD_REQUEST', status: 404 },
      'Request failed with status code 404',
    ],
    [
      'a timeout',
      PROVIDER_ERROR,
      { code: 'ECONNABORTED', message: 'timeout of 10000ms exceeded' },
      'timeout of 10000ms exceeded (ECONNABORTED)',
    ],
    [
      'a gateway',
      PROVIDER_ERROR,
      '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>',
      '502 Bad Gateway nginx',
    ],
    [
      'a bridge',
      'Bridge execution failed',
      { message: 'Could not load the step' },
      'Bridge execution failed: Could not load the step',
    ],
    [
      'a template',
      'Message content could not be generated',
      'undefined variable: payload.name, line:1, col:4',
      'Message content could not be generated: undefined variable: payload.name, line:1, col:4',
    ],
    [
      'JSON in JSON',
      PROVIDER_ERROR,
      { response: { data: JSON.stringify({ message: 'Quota exceeded' }) }, statusCode: 429 },
      'Quota exceeded (429)',
    ],
    [
      'a part with more words',
      'Webhook filter failed for step 2',
      { message: 'Timed out' },
      'Webhook filter failed for step 2: Timed out',
    ],
    ['a part that says no more', 'Bridge execution failed', undefined, 'Bridge execution failed'],
    ['a part with only a code', 'Bridge execution failed', { status: 503 }, 'Bridge execution failed (503)'],
    ['a sentence with a code', PROVIDER_ERROR, { message: 'Too many. Wait...', code: 429 }, 'Too many. Wait (429)'],
    ['words about undefined', 'undefined address - (bounced)', BOUNCE, 'undefined address'],
    ['words that end with undefined', 'Address undefined - (bounced)', BOUNCE, 'Address undefined'],
    ['text in quotes', PROVIDER_ERROR, '"Mailbox full"', 'Mailbox full'],
    [
      'JSON as a text',
      PROVIDER_ERROR,
      JSON.stringify(JSON.stringify({ reason: 'Mailbox full', status: 'FAILED' })),
      'Mailbox full',
    ],
    [
      'a list',
      PROVIDER_ERROR,
      [{ success: true }, { success: false, error: { message: 'Mailbox full' } }],
      'Mailbox full',
    ],
    ['both, where both say something', 'It went wrong', { reason: 'Mailbox full' }, 'It went wrong: Mailbox full'],
    ['the service, with the code', 'It went wrong', { error: 'is_archived' }, 'It went wrong (is_archived)'],
    ['nobody', PROVIDER_ERROR, undefined, PROVIDER_ERROR],
    ['nobody, with a code', PROVIDER_ERROR, { status: 503 }, 'Unexpected provider error (503)'],
    ['silence', '', undefined, 'No reason was given'],
  ])('comes from %s', (_, detail, raw, text) => {
    expect(cause(detail, raw).text).toBe(text);
  });

  test('has up to 200 characters, and is cut after a whole word or character', () => {
    expect(cause('x'.repeat(200)).text).toBe('x'.repeat(200));
    expect(cause('x'.repeat(201)).text).toBe(`${'x'.repeat(199)}…`);
    expect(cause(`${'x'.repeat(198)} yyy`).text).toBe(`${'x'.repeat(198)}…`);
    expect(cause(`a ${'x'.repeat(200)}`).text).toBe(`a ${'x'.repeat(197)}…`);
    expect(cause(`${'x'.repeat(197)} 🎉🎉`).text).toBe(`${'x'.repeat(197)}…`);
    expect(cause(`${'x'.repeat(198)}🎉🎉`).text).toBe(`${'x'.repeat(198)}…`);
  });

  test('is found in truncated JSON', () => {
    const raw = { ...sendGrid('Maximum credits exceeded', 401), request: 'padding '.repeat(1_000) };
    expect(cause(PROVIDER_ERROR, raw).text).toBe('Maximum credits exceeded (401)');
  });

  test('is found in truncated JSON in a field with a hyphen', () => {
    const raw = { messages: [{ 'error-text': 'Non White-listed Destination' }], request: 'padding '.repeat(1_000) };
    expect(cause(PROVIDER_ERROR, raw).text).toBe('Non White-listed Destination');
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
    ['numbers called', "The 'To' number +4917012345671 is not valid", "The 'To' number +15005550001 is not valid"],
    ['time-outs', 'timeout of 10000ms exceeded', 'timeout of 5000ms exceeded'],
    ['waits', 'Rate limit exceeded, retry in 423 seconds', 'Rate limit exceeded, retry in 12 seconds'],
    ['addresses', 'connect ECONNREFUSED 10.0.0.1:587', 'connect ECONNREFUSED 10.2.44.1:587'],
    ['hosts', 'getaddrinfo ENOTFOUND smtp-1.example.com', 'getaddrinfo ENOTFOUND smtp-2.example.com'],
    ['transactions', 'Message txn_8f2c91 was rejected', 'Message txn_0a1b2c was rejected'],
    [
      'UUIDs',
      'Request 550e8400-e29b-41d4-a716-446655440000 failed',
      'Request 123e4567-e89b-12d3-a456-426614174000 failed',
    ],
    ['hex ids', 'No template 65f3a1b2c3d4e5f6a7b8c9d0', 'No template 65f3a1b2c3d4e5f6a7b8c9d1'],
    ['times', 'Failed at 2024-01-15T12:00:00Z: quota exceeded', 'Failed at 2024-01-15T12:00:07Z: quota exceeded'],
    ['subscribers', 'Subscriber "user-0042" is blocked', 'Subscriber "anna" is blocked'],
    ['webhooks', 'POST https://hooks.slack.com/services/T1/B1/x failed', 'POST https://hooks.example.com/y failed'],
    [
      'a code in the words and beside them',
      { message: 'Response code 429 (Too Many)', statusCode: 429 },
      'Response code 429 (Too Many)',
    ],
    ['capitals', 'Mailbox Full', 'mailbox full.'],
    [
      'SES messages',
      '554 Message rejected: Email address is not verified: anna@example.com',
      '554 Message rejected: Email address is not verified: bob@example.com',
    ],
    [
      'places in long texts',
      `No user ${'9'.repeat(10)} in ${'the list '.repeat(40)}`,
      `No user 1 in ${'the list '.repeat(40)}`,
    ],
    ['ids in brackets', 'User not found (12345)', 'User not found (67890)'],
    ['ids in front', '12345 is not a recipient', '67890 is not a recipient'],
    ['numbers in a row', 'No user 17, 18: 19', 'No user 4'],
    ['blanks', 'Mailbox   is\n full', 'Mailbox is full'],
    ['marks around', ': - Mailbox full …!', 'Mailbox full'],
    ['quoted values of several words', 'User "Ann Lee" is blocked', 'User "Bo" is blocked'],
    ['a code that is the sentence', { error: 'invalid_grant' }, 'invalid_grant'],
    ['quoted names', 'Failed: error "Jürgen"', 'Failed: error "Zoë"'],
    ['quoted values with digits', 'Failed: error "a17"', 'Failed: error "18b"'],
    ['numbers long before a code', 'User 12345 has no code', 'User 67890 has no code'],
    ['three digits that are no status', 'No route in building 401', 'No route in building 500'],
    ['statuses that end a sentence', 'Rejected: 5.1.1. See 17', 'Rejected: 5.1.1 see 18'],
    ['a code in capitals', { code: 'messaging/Invalid-Argument', message: 'No' }, 'No (messaging/invalid-argument)'],
    ['positions', 'Unexpected token at position 17', 'Unexpected token at position 2031'],
    [
      'queue ids',
      '250 2.0.0 Ok: queued as 4XyZ12abCD, then bounced',
      '250 2.0.0 Ok: queued as 7AbC99zzQQ, then bounced',
    ],
  ])('is the same for %s', (_, a, b) => {
    expect(cause(PROVIDER_ERROR, a).key).toBe(cause(PROVIDER_ERROR, b).key);
  });

  test.each<[what: string, a: string | object, b: string | object]>([
    ['HTTP statuses', 'Request failed with status code 401', 'Request failed with status code 500'],
    ['enhanced statuses', '550 5.1.1 rejected', '550 5.7.1 rejected'],
    ['SMTP replies', '421 Try again later', '451 Try again later'],
    [
      "Twilio's codes",
      { code: 21211, message: 'Refused', status: 400 },
      { code: 21610, message: 'Refused', status: 400 },
    ],
    ["WhatsApp's codes", '(#131047) Message undeliverable', '(#131026) Message undeliverable'],
    ['OAuth errors', { error: 'invalid_grant' }, { error: 'invalid_client' }],
    [
      "FCM's codes",
      { code: 'messaging/invalid-argument', message: 'No' },
      { code: 'messaging/mismatched-credential', message: 'No' },
    ],
    ["APNs' reasons", { status: 400, reason: 'BadDeviceToken' }, { status: 400, reason: 'DeviceTokenNotForTopic' }],
    ["Slack's errors", { error: 'channel_not_found' }, { error: 'is_archived' }],
    ['network errors', 'connect ECONNREFUSED 10.0.0.1:587', 'connect ETIMEDOUT 10.0.0.1:587'],
    ['codes of the same words', sendGrid('Refused', 401), sendGrid('Refused', 403)],
    ['statuses in a short text', 'got 401', 'got 500'],
    ['statuses in a long text', `${'so '.repeat(20)} code 401`, `${'so '.repeat(20)} code 500`],
    ['statuses at the end of a sentence', 'The status is: 401.', 'The status is: 500.'],
    ['statuses with an enhanced one', 'Got 550-5.1.1 now', 'Got 550-5.7.1 now'],
    ['error numbers', 'Refused with error 21211', 'Refused with error 21610'],
    ['names of errors in quotes', 'Failed: error "not_an_address"', 'Failed: error "not_a_number"'],
    ['errors in quotes', 'Failed: error "invalid_grant: expired"', 'Failed: error "invalid_client: unknown"'],
    ['parts', 'Mailbox full', 'Mailbox disabled'],
  ])('differs for %s', (_, a, b) => {
    expect(cause(PROVIDER_ERROR, a).key).not.toBe(cause(PROVIDER_ERROR, b).key);
  });

  test('has at most 200 characters, and its code', () => {
    expect(cause('word '.repeat(100)).key).toHaveLength(200);
    expect(cause(PROVIDER_ERROR, { message: 'word '.repeat(100), code: 21211 }).key).toMatch(/^.{200} \(21211\)$/);
  });

  test('distinguishes the sentences of the service', () => {
    const keys = [
      'Subscriber missing recipient details',
      'Step was filtered based on steps filters',
      'Layout not found ',
    ];
    expect(new Set(keys.map((detail) => cause(detail).key))).toHaveLength(keys.length);
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
