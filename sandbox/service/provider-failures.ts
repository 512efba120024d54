import type { Channel } from './entities.ts';

/** Invented secrets, planted where the real service has been seen to leak some: nothing that the bot posts, stores or logs may hold one. */
export const plantedSecrets = {
  authorization: 'Bearer SG.sandbox-0f3c9a61.Zx81mKq0sandboxNotARealKey7Wd2',
  basicAuthorization: 'Basic QUNzYW5kYm94OnNhbmRib3gtYXV0aC10b2tlbg==',
  apiKey: 'sandbox-provider-key-8841f0c2d7',
  webhookUrl: 'https://hooks.slack.com/services/T0SANDBOX/B0SANDBOX/n0tARealW3bh00kOfAnyone',
  deviceToken: 'fcm-sandbox-device:APA91bSANDBOXq7Lk2vXo0PzNotARealDevice5501',
  smtpUser: 'smtp-relay@mailer.sandbox.example',
  smtpPassword: 'sandbox-smtp-p4ssw0rd',
  serviceAccount: '-----BEGIN SANDBOX KEY-----MIIsandboxNotARealKey-----END SANDBOX KEY-----',
  email: 'dana.private@customer.sandbox.example',
  phone: '+4915550104477',
} as const;

export const wording = {
  stepCreated: 'Step created',
  stepQueued: 'Step queued',
  stepDelayed: 'Step delayed',
  stepDigested: 'Step digested',
  delayFinished: 'Delay is finished',
  digestTriggered: 'Digest triggered events',
  digestMerged: 'Digest was merged with other digest',
  startSending: 'Start sending message',
  messageCreated: 'Message created',
  messageSent: 'Message sent',
  providerError: 'Unexpected provider error',
  contentNotGenerated: 'Message content could not be generated',
  noActiveIntegration: 'Subscriber does not have an active integration',
  noEmail: 'Subscriber does not have an email address',
  noPhone: 'Subscriber does not have a phone number',
  noDeviceTokens: 'Subscriber credentials is missing the tokens for sending a push notification message',
  noWebhookUrl: 'Webhook URL for the chat channel is missing',
  skippedByConditions: 'Step was skipped based on steps conditions',
  canceledByPrevious: 'Step was canceled because a previous step failed',
  bounced: 'Message bounced',
  smsUndelivered: 'Message could not be delivered',
} as const;

export interface ProviderFailure {
  detail: string;
  raw: string;
}

export const providerOf = {
  in_app: 'svc',
  email: 'sendgrid',
  sms: 'twilio',
  push: 'fcm',
  chat: 'slack',
} as const satisfies Record<Channel, string>;

/** Returns the provider of a step of this type, unless its workflow names another. Digests and delays run in the service itself. */
export function defaultProvider(type: string): string {
  return new Map<string, string>(Object.entries(providerOf)).get(type) ?? 'svc';
}

export function outageOf(provider: string): ProviderFailure {
  return { detail: wording.providerError, raw: outageResponses[provider] ?? JSON.stringify({ message: 'ETIMEDOUT' }) };
}

const outageResponses: Record<string, string> = {
  sendgrid: JSON.stringify({
    message: 'Service Unavailable',
    code: 503,
    config: { url: 'https://api.sendgrid.com/v3/mail/send', headers: { Authorization: plantedSecrets.authorization } },
    response: { body: { errors: [{ message: 'upstream connect error or disconnect/reset before headers' }] } },
  }),
  ses: JSON.stringify({
    name: 'Throttling',
    message: 'Maximum sending rate exceeded.',
    $metadata: { httpStatusCode: 454 },
  }),
  twilio: JSON.stringify({
    status: 503,
    code: 20503,
    message: `Unable to create record: the service is unavailable, to ${plantedSecrets.phone}`,
    headers: { authorization: plantedSecrets.basicAuthorization },
  }),
  fcm: `FirebaseMessagingError: The service is currently unavailable. token=${plantedSecrets.deviceToken}`,
  slack: JSON.stringify({
    message: 'Request failed with status code 503',
    config: { method: 'post', url: plantedSecrets.webhookUrl },
  }),
};

/** A provider's whole error page of 100 kB, as seen in `raw`. */
const enormousPage = `<!DOCTYPE html><html><body>${'<p>Service unavailable</p>'.repeat(4000)}</body></html>`;

export function everydayFailuresOf(provider: string): readonly [ProviderFailure, ...ProviderFailure[]] {
  return (
    everydayFailures[provider] ?? [
      { detail: wording.contentNotGenerated, raw: 'Liquid error: undefined variable payload.name' },
    ]
  );
}

const everydayFailures: Record<string, readonly [ProviderFailure, ...ProviderFailure[]]> = {
  sendgrid: [
    refused({ message: 'Unauthorized', code: 401, headers: { Authorization: plantedSecrets.authorization } }),
    refused({
      message: `The to address ${plantedSecrets.email} does not contain a valid address.`,
      field: 'personalizations.0.to',
    }),
  ],
  ses: [
    refused({ name: 'MessageRejected', message: `Email address is not verified: ${plantedSecrets.smtpUser}` }),
    { detail: wording.providerError, raw: enormousPage },
  ],
  twilio: [
    refused({
      status: 400,
      code: 21211,
      message: `The 'To' number ${plantedSecrets.phone} is not a valid phone number.`,
    }),
    refused({
      status: 429,
      code: 20429,
      message: 'Too Many Requests',
      more_info: 'https://www.twilio.com/docs/errors/20429',
    }),
  ],
  fcm: [
    refused({
      errorInfo: { code: 'messaging/registration-token-not-registered' },
      deviceTokens: [plantedSecrets.deviceToken],
    }),
  ],
  slack: [
    { detail: wording.providerError, raw: '<!DOCTYPE html><html><body><h1>404</h1><p>no_service</p></body></html>' },
    refused({ message: 'invalid_blocks', url: plantedSecrets.webhookUrl }),
  ],
};

export const undeliveredSms: ProviderFailure = {
  detail: wording.smsUndelivered,
  raw: JSON.stringify({
    MessageStatus: 'undelivered',
    ErrorCode: 30003,
    ErrorMessage: 'Unreachable destination handset',
  }),
};

export const bounceReasons = {
  everyday: '550 5.1.1 The account does not exist',
  storm: '554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.spamhaus.org',
} as const;

export function bounceOf(reason: string, email?: string | null): ProviderFailure {
  return { detail: wording.bounced, raw: JSON.stringify({ event: 'bounce', type: 'blocked', reason, email }) };
}

export function refused(response: object): ProviderFailure {
  return { detail: wording.providerError, raw: JSON.stringify(response) };
}
