import type { Channel } from './entities.ts';
import { plantedSecrets as secret } from './planted-secrets.ts';
import { wording } from './wording.ts';

/** Why a provider refused: the service's short sentence, and the provider's own response. */
export interface ProviderFailure {
  detail: string;
  raw: string;
}

/** The sandbox's provider of each channel. */
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

/** Returns a provider's response when it is down, with the secrets that real responses have. */
export function outageOf(provider: string): ProviderFailure {
  return { detail: wording.providerError, raw: outageResponses[provider] ?? JSON.stringify({ message: 'ETIMEDOUT' }) };
}

const outageResponses: Record<string, string> = {
  sendgrid: JSON.stringify({
    message: 'Service Unavailable',
    code: 503,
    config: { url: 'https://api.sendgrid.com/v3/mail/send', headers: { Authorization: secret.authorization } },
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
    message: `Unable to create record: the service is unavailable, to ${secret.phone}`,
    headers: { authorization: secret.basicAuthorization },
  }),
  fcm: `FirebaseMessagingError: The service is currently unavailable. token=${secret.deviceToken}`,
  slack: JSON.stringify({
    message: 'Request failed with status code 503',
    config: { method: 'post', url: secret.webhookUrl },
  }),
};

/** A provider's whole error page of 100 kB, as seen in `raw`. */
export const enormousPage = `<!DOCTYPE html><html><body>${'<p>Service unavailable</p>'.repeat(4000)}</body></html>`;

/** Returns what can go wrong with a single message while the provider is up. */
export function everydayFailuresOf(provider: string): readonly [ProviderFailure, ...ProviderFailure[]] {
  return (
    everydayFailures[provider] ?? [
      { detail: wording.contentNotGenerated, raw: 'Liquid error: undefined variable payload.name' },
    ]
  );
}

const everydayFailures: Record<string, readonly [ProviderFailure, ...ProviderFailure[]]> = {
  sendgrid: [
    refused({ message: 'Unauthorized', code: 401, headers: { Authorization: secret.authorization } }),
    refused({
      message: `The to address ${secret.email} does not contain a valid address.`,
      field: 'personalizations.0.to',
    }),
  ],
  ses: [
    refused({ name: 'MessageRejected', message: `Email address is not verified: ${secret.smtpUser}` }),
    { detail: wording.providerError, raw: enormousPage },
  ],
  twilio: [
    refused({ status: 400, code: 21211, message: `The 'To' number ${secret.phone} is not a valid phone number.` }),
    refused({
      status: 429,
      code: 20429,
      message: 'Too Many Requests',
      more_info: 'https://www.twilio.com/docs/errors/20429',
    }),
  ],
  fcm: [
    refused({ errorInfo: { code: 'messaging/registration-token-not-registered' }, deviceTokens: [secret.deviceToken] }),
  ],
  slack: [
    { detail: wording.providerError, raw: '<!DOCTYPE html><html><body><h1>404</h1><p>no_service</p></body></html>' },
    refused({ message: 'invalid_blocks', url: secret.webhookUrl }),
  ],
};

function refused(response: object): ProviderFailure {
  return { detail: wording.providerError, raw: JSON.stringify(response) };
}
