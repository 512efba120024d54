import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CAUSES, MISTAKES } from '../sandbox/director/scenarios.ts';
import {
  bounceOf,
  bounceReasons,
  everydayFailuresOf,
  outageOf,
  type ProviderFailure,
  undeliveredSms,
  wording,
} from '../sandbox/service/provider-failures.ts';
import { explainCause } from '../src/causes/explain-cause.ts';
import { causeOf } from '../src/failures/cause.ts';
import { FreeText } from '../src/lib/text/scrub.ts';

interface Sent extends ProviderFailure {
  provider: string;
}

const CHANNELS: ReadonlyMap<string, string> = new Map([
  ['sendgrid', 'email'],
  ['ses', 'email'],
  ['nodemailer', 'email'],
  ['mailgun', 'email'],
  ['mailjet', 'email'],
  ['postmark', 'email'],
  ['twilio', 'sms'],
  ['fcm', 'push'],
  ['apns', 'push'],
  ['slack', 'chat'],
  ['svc', 'in_app'],
]);

const PROVIDER_ERROR = wording.providerError;
const PROVIDERS = ['sendgrid', 'ses', 'twilio', 'fcm', 'slack', 'svc'];

/** Every cause that the local service and its director send. */
const LOCAL: readonly Sent[] = [
  ...PROVIDERS.flatMap((provider) => everydayFailuresOf(provider).map((failure) => ({ provider, ...failure }))),
  ...PROVIDERS.map((provider) => ({ provider, ...outageOf(provider) })),
  ...Object.values(CAUSES).map(([provider, , cause]) => ({ provider, ...cause })),
  ...[
    wording.noActiveIntegration,
    wording.noEmail,
    wording.noPhone,
    wording.noDeviceTokens,
    wording.noWebhookUrl,
    wording.skippedByConditions,
    wording.canceledByPrevious,
  ].map((detail) => ({ provider: 'svc', detail, raw: '' })),
  ...Object.values(bounceReasons).map((reason) => ({ provider: 'sendgrid', ...bounceOf(reason) })),
  { provider: 'twilio', ...undeliveredSms },
  ...MISTAKES.map(([, raw]) => ({ provider: 'svc', detail: wording.contentNotGenerated, raw })),
];

/** Answers as providers' own documentation and clients show them. */
const PUBLIC: readonly Sent[] = [
  said('sendgrid', {
    code: 403,
    response: { body: { errors: [{ message: 'access forbidden', field: null, help: null }] } },
  }),
  said('twilio', { status: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' }),
  said('twilio', { MessageStatus: 'undelivered', ErrorCode: 30003, ErrorMessage: 'Unreachable destination handset' }),
  said('nodemailer', { code: 'EAUTH', response: '535 5.7.8 Username and Password not accepted', responseCode: 535 }),
  said('nodemailer', 'Error: 550 5.1.1 <anna@example.com>: Recipient address rejected: User unknown'),
  said('nodemailer', { code: 'ESOCKET', errno: -111, message: 'connect ECONNREFUSED 10.0.0.1:587' }),
  said('ses', {
    notificationType: 'Bounce',
    bounce: { bouncedRecipients: [{ diagnosticCode: 'smtp; 550 5.2.2 mailbox full' }] },
  }),
  said('ses', { name: 'MailFromDomainNotVerifiedException', $metadata: { httpStatusCode: 400 }, message: 'x' }),
  said('mailgun', { status: 401, details: 'Forbidden', message: 'Invalid private key' }),
  said('mailgun', {
    'delivery-status': { code: 605, message: '', description: 'Not delivering to previously bounced address' },
  }),
  said('mailjet', { ErrorCode: 'mj-0013', StatusCode: 400, ErrorMessage: '"pilot" is an invalid email address.' }),
  said('postmark', {
    statusCode: 422,
    code: 406,
    name: 'InactiveRecipientsError',
    message: 'You tried to send to recipient(s) that have been marked as inactive.',
  }),
  said('fcm', { code: 'messaging/registration-token-not-registered', message: 'Requested entity was not found.' }),
  said('fcm', {
    error: {
      code: 404,
      message: 'Requested entity was not found.',
      status: 'NOT_FOUND',
      details: [{ errorCode: 'UNREGISTERED' }],
    },
  }),
  said('fcm', { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }),
  said('apns', { device: 'a'.repeat(64), status: '410', response: { reason: 'Unregistered' } }),
  said('slack', { ok: false, error: 'channel_not_found' }),
  said('slack', {
    message: 'Request failed with status code 404',
    name: 'AxiosError',
    code: 'ERR_BAD_REQUEST',
    status: 404,
  }),
  said('sendgrid', { code: 'ECONNABORTED', message: 'timeout of 10000ms exceeded' }),
  said('sendgrid', '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>'),
];

function said(provider: string, answer: object | string): Sent {
  return { provider, detail: PROVIDER_ERROR, raw: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

function find({ provider, detail, raw }: Sent, channel: string) {
  const { text } = causeOf({ detail: new FreeText(detail), raw: raw === '' ? null : new FreeText(raw) });
  const found = explainCause({ provider, channel, text });
  return { text, entry: found.known ? found.entry : null };
}

function explained(sent: Sent) {
  const { text, entry } = find(sent, CHANNELS.get(sent.provider) ?? 'in_app');
  return entry?.meaning ?? `unknown: ${sent.provider}: ${text}`;
}

test.each([
  ['the local service', LOCAL],
  ['providers, by their documentation', PUBLIC],
])('the causes sent by %s are known', (_, sent) => {
  expect(sent.map(explained).filter((found) => found.startsWith('unknown'))).toEqual([]);
});

const linesOf = (file: string) =>
  readFileSync(new URL(`errors/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** `none`: no explanation would do as well. */
const Pasted = z.object({
  ...{ channel: z.string(), provider: z.string(), detail: z.string(), raw: z.string() },
  ...{ whose: z.array(z.string()), again: z.array(z.string()), none: z.boolean() },
});

describe('the owner of an error', () => {
  test('that somebody pasted in a public issue is right, and so is whether sending again helps', () => {
    const mistakes = linesOf('provider-errors.ndjson')
      .map((line) => Pasted.parse(JSON.parse(line)))
      .map((error) => ({ error, ...find(error, error.channel) }))
      .filter(({ error, entry }) => {
        if (entry === null) return !error.none;
        const again = typeof entry.again === 'number' ? 'later' : entry.again.replace('once-', '');
        const isRight = error.whose.includes(entry.whose) || (error.none && entry.whose === 'unknown');
        return !isRight || !(error.again.includes('any') || error.again.includes(again));
      });
    expect(mistakes.map(({ text, entry }) => `${text}: ${entry?.meaning}`)).toEqual([]);
  });

  test('is right for what mail servers reply, and nobody where a reply says nothing', () => {
    const mistakes = linesOf('mail-replies.tsv').flatMap((line) => {
      const [owners = '', reply = ''] = line.split('\t');
      const { entry } = find({ provider: 'nodemailer', detail: 'bounced', raw: reply }, 'email');
      const owner = entry === null || entry.whose === 'unknown' ? 'none' : entry.whose;
      const isRight = owners.split(' ').includes(owner) || (owner === 'none' && owners.includes('unknown'));
      return isRight ? [] : [`${reply}: ${owner}`];
    });
    expect(mistakes).toEqual([]);
  });
});
