import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { causeOf } from '../judging/cause.ts';
import { cpuMs } from '../lib/cpu.testing.ts';
import { FreeText } from '../lib/text/scrub.ts';
import cases from './explain-cause.cases.json' with { type: 'json' };
import { createExplainCause, explainCause } from './explain-cause.ts';
import type { KnownCause } from './load-causes.ts';

function meaning(provider: string | null, channel: string, text: string): string | null {
  const found = explainCause({ provider, channel, cause: { text } });
  return found.entry?.meaning ?? null;
}

function meaningOf(provider: string, channel: string, detail: string, raw: object | string): string | null {
  const answer = new FreeText(typeof raw === 'string' ? raw : JSON.stringify(raw));
  return meaning(provider, channel, causeOf({ detail: new FreeText(detail), raw: answer }).text);
}

describe('an error', () => {
  test.each<[provider: string, raw: object | string, meaning: RegExp]>([
    ['nexmo', { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] }, /refused the API key/],
    ['sns', { delivery: { providerResponse: 'Phone number is opted out' }, status: 'FAILURE' }, /opted out/],
  ])('is explained by the response, also beside a sentence that says little: %s: %j', (provider, raw, expected) => {
    expect(meaningOf(provider, 'sms', 'Unexpected provider error', raw)).toMatch(expected);
    expect(meaningOf(provider, 'sms', 'It went wrong', raw)).toMatch(expected);
  });

  test.each(cases.notMailServers)('of a provider asked by HTTP isn’t taken for a mail server’s reply: $text', (row) => {
    const found = meaning('mailersend', 'email', row.text);
    if (row.meaning === null) expect(found).toBeNull();
    else expect(found).toContain(row.meaning);
  });

  test.each(cases.smtpClient)(
    'of the SMTP client is explained by the server’s reply or the cause: $code, $message',
    ({ code, message, reply, expected }) => {
      const raw = { code, message, command: 'CONN', ...reply };
      expect(meaningOf('nodemailer', 'email', '', raw)).toContain(expected);
      expect(meaning('nodemailer', 'email', `${message} (${code})`)).toContain(expected);
    },
  );

  test.each([
    ['slack', 403],
    ['discord', 404],
    ['msteams', 410],
  ] as const)(
    'of a webhook, which is the subscriber’s, isn’t explained by the integration: %s, %s',
    (provider, status) => {
      const found = explainCause({
        provider,
        channel: 'chat',
        cause: { text: `Request failed with status code ${status}` },
      });
      expect(found).toMatchObject({ entry: { whose: 'recipient', again: 'once-fixed' } });
      expect(found.entry?.meaning).toMatch(/webhook|connector/);
    },
  );

  test.each(cases.policies)('of a mail server’s policy is explained by its words: %s', (text, expected) => {
    expect(meaning('sendgrid', 'email', text)).toContain(expected);
  });

  test("is unknown, with its provider's status page, if nothing is known about it", () => {
    expect(
      explainCause({ provider: 'SendGrid', channel: 'email', cause: { text: 'A comet hit the data center' } }),
    ).toEqual({ entry: null, provider: 'SendGrid', statusPage: 'https://status.sendgrid.com/' });
    expect(explainCause({ provider: 'pigeon', channel: 'sms', cause: { text: 'Lost' } })).toMatchObject({
      statusPage: null,
    });
  });
});

test.each(cases.lookAlikes)('a look-alike of a known error stays unknown: %s, %s', (provider, channel, text) => {
  expect(meaning(provider, channel, text)).toBeNull();
});

describe('entries of a team’s own', () => {
  const entry = (given: Partial<KnownCause>): KnownCause => ({
    providers: [],
    channel: null,
    kind: 'any',
    codes: [],
    broad: false,
    texts: [],
    patterns: [],
    near: 12,
    status: null,
    common: null,
    wins: [],
    loses: [],
    headline: 'ours',
    meaning: 'Ours',
    whose: 'setup',
    again: 'never',
    next: 'Call Ann.',
    source: null,
    ...given,
  });

  test.each<[string, Partial<KnownCause>, boolean]>([
    ['by a code that the catalog knows too', { providers: ['twilio'], codes: ['21211'] }, true],
    ['for their channel', { channel: 'sms', codes: ['21211'] }, true],
    ['by a code of a field as the answer writes it', { codes: ['errorCode=21211'] }, true],
    ['for no other provider than theirs', { providers: ['plivo'], codes: ['21211'] }, false],
    ['for no other channel than theirs', { channel: 'email', codes: ['21211'] }, false],
  ])('come first %s', (_, given, comesFirst) => {
    const text = "The 'To' number is not a valid phone number (21211)";
    const found = createExplainCause([entry(given)])({ provider: 'twilio', channel: 'sms', cause: { text } });
    expect(found.entry?.meaning === 'Ours').toBe(comesFirst);
  });

  const found = (causes: readonly Partial<KnownCause>[], text: string) => {
    const explained = createExplainCause(causes.map(entry))({ provider: 'acme', channel: 'chat', cause: { text } });
    return explained.entry?.meaning ?? null;
  };

  test.each(cases.texts)('have texts in any case, with any quotes and blanks: %j', (text, ofTeam) => {
    expect(found([{ texts: [ofTeam] }], text)).toBe('Ours');
  });

  test('have words in any order, with alternatives, endings and blanks, and both where they have a code too', () => {
    const words = ['acme|gateway refus* not_now'];
    expect(found([{ patterns: words }], 'Not now: refused by the Gateway')).toBe('Ours');
    expect(found([{ patterns: words }], 'Not now: the gateways refused')).toBeNull();
    expect(found([{ patterns: words, codes: ['30007'] }], 'Acme refuses it, not now (30007)')).toBe('Ours');
    expect(found([{ patterns: words, codes: ['30007'] }], 'Acme refuses it, not now')).toBeNull();
    expect(found([{ patterns: words, codes: ['30007'] }], 'Later (30007)')).toBeNull();
  });

  test('have words of one statement, and those of a mail server’s code anywhere', () => {
    const far = 'by rule 7 of our list, which you find together with all the others at the help desk';
    expect(found([{ patterns: ['gateway refused'] }], `The gateway at ${far}, refused`)).toBeNull();
    expect(found([{ patterns: ['gateway refused 550'] }], `550 ${far}, refused by the gateway`)).toBe('Ours');
  });

  test('have codes in any case, alone or in their field', () => {
    expect(found([{ codes: ['E_Quota'] }], 'Refused (e_quota)')).toBe('Ours');
    expect(found([{ codes: ['Err Code=6'] }], 'Refused (errcode=6)')).toBe('Ours');
    expect(found([{ codes: ['bounceclass=6'] }], 'Refused (errcode=6)')).toBeNull();
  });

  test.each([
    ['5.7.26', '550 5.7.26 X'],
    ['550', 'said: 550 X'],
    ['smtp=550', 'said: 550 5.7.26 X'],
  ])("have a mail server's reply for a code: %s in %j", (code, text) => {
    expect(found([{ codes: [code] }], text)).toBe('Ours');
    expect(found([{ codes: [code] }], `they have ${code} users`)).toBeNull();
  });

  test.each<[string, Partial<KnownCause>, Partial<KnownCause>, string]>([
    ['codes', { codes: ['17'] }, { codes: ['17'] }, 'Refused, error code: 17'],
    ['texts', { texts: ['is not allowed to send'] }, { texts: ['is not allowed to'] }, "Ann isn't allowed to send"],
  ])('are the first of two %s', (_, first, second, text) => {
    const causes = [
      { ...first, meaning: 'First' },
      { ...second, meaning: 'Second' },
    ];
    expect(found(causes, text)).toBe('First');
    expect(found(causes.toReversed(), text)).toBe('Second');
  });

  test('count whatever the articles are, and however a negation is written', () => {
    const [said, cant] = [[{ texts: ["isn't a valid sender"] }], [{ texts: ['can not reach the gateway'] }]];
    expect(found(said, 'This is not valid sender')).toBe('Ours');
    expect(found(cant, 'We cannot reach gateway 7')).toBe('Ours');
    expect(found(cant, "We can't reach a gateway")).toBe('Ours');
    expect(found(said, 'This is a valid sender')).toBeNull();
  });
});

describe('an error that names several causes', () => {
  test.each(cases.exact)(
    'says what its words do, where its code says less: %s, %s, %s',
    (provider, channel, text, expected) => {
      expect(meaning(provider, channel, text)).toContain(expected);
    },
  );

  test.each(cases.several)('is explained by %s', (_, text, expected) => {
    expect(meaning('nodemailer', 'email', text)).toContain(expected);
  });

  test("is explained by the provider's own numbers where they look like HTTP statuses", () => {
    expect(meaning('acme', 'sms', 'Refused (403)')).toMatch(/doesn't allow this/);
    expect(meaning('africas-talking', 'sms', 'Refused (403)')).toMatch(/phone number isn't valid/);
    expect(meaning('africas-talking', 'sms', 'Refused (ECONNREFUSED)')).toMatch(/Nothing accepts connections/);
  });
});

test.each(cases.longTexts)('explains a long text %s in time', (_, part) => {
  const error = { provider: 'twilio', channel: 'email', cause: { text: part.repeat(2_000).slice(0, 2_000) } };
  const times = Array.from({ length: 20 }, () => {
    const begun = cpuMs();
    explainCause(error);
    return cpuMs() - begun;
  });
  // The least, since caches that others use make it longer. A pattern that goes back over the text takes far longer each time.
  expect(Math.min(...times)).toBeLessThan(10);
});

describe('a mail server’s answer', () => {
  const owner = (text: string) => {
    const found = explainCause({ provider: 'nodemailer', channel: 'email', cause: { text } });
    return found.entry?.whose ?? null;
  };

  test.each(cases.commands)('that says nothing is its command’s: %s, %s', (command, expected) => {
    expect(owner(`550 Refused (in reply to ${command})`)).toBe(expected);
    expect(owner(`550 5.7.1 Refused (in reply to ${command} command)`)).toBe(expected);
  });

  test.each(cases.standing)('means what it can where it stands: %s', (text, headline) => {
    const found = explainCause({ provider: 'nodemailer', channel: 'email', cause: { text } });
    expect(found.entry?.headline).toBe(headline);
  });
});

test('a provider’s own number outranks the mail words beside it, also where it looks like an HTTP status', () => {
  const text = 'Sender address rejected (code=412)';
  expect(meaning('postmark', 'email', text)).toContain("isn't approved yet");
  expect(meaning('nodemailer', 'email', text)).toContain("refuses the sender's address");
});

test('a number counts for the provider that a gateway’s text names, and for no other', () => {
  expect(meaning('generic-sms', 'sms', 'Twilio error 30005')).toContain('unknown or no longer exists');
  expect(meaning('generic-sms', 'sms', 'error 30005')).toBeNull();
  expect(meaning('bandwidth', 'sms', 'Twilio error 30005')).toBeNull();
});

test('explains any text, the same each time', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('twilio', 'fcm', null), (text, provider) => {
      const error = { provider, channel: 'email', cause: { text } };
      expect(explainCause(error)).toEqual(explainCause(error));
    }),
  );
});
