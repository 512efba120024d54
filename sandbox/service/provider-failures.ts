import type { Channel, Json } from './entities.ts';
import known from './providers.json' with { type: 'json' };

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

/** The service's own words for what happens to a step. */
export const wording = {
  stepQueued: 'Step queued',
  stepDelayed: 'Step delayed',
  stepDigested: 'Step digested',
  delayFinished: 'Delay is finished',
  digestTriggered: 'Digest triggered events',
  digestMerged: 'Digest was merged with other digest',
  throttled: 'Throttle limit exceeded for the given window',
  messageCreated: 'Message created',
  messageSent: 'Message sent',
  providerError: 'Unexpected provider error',
  actionFailed: 'Action step execution failed',
  contentNotGenerated: 'Message content could not be generated',
  noActiveIntegration: 'Subscriber does not have an active integration',
  allChatFailed: 'All chat channels failed to send the message',
  pushErrors: 'There was one or more errors when trying to execute the notification',
  noEmail: 'Subscriber missing email address',
  noPhone: 'Subscriber missing phone number',
  noChannel: 'Subscriber does not have a configured channel',
  noDeviceTokens: 'Subscriber credentials is missing the tokens for sending a push notification message',
  noWebhookUrl: 'Webhook URL for the chat channel is missing',
  skippedByConditions: 'Bridge execution skipped',
  canceledByPrevious: 'Step was canceled because a previous step failed',
  bounced: 'Message bounced',
  smsUndelivered: 'Message could not be delivered',
} as const;

export interface ProviderFailure {
  detail: string;
  raw: string;
}

/** The provider of the first active integration of each channel, unless a test changes them. */
export const providerOf = {
  in_app: 'svc',
  email: 'sendgrid',
  sms: 'twilio',
  push: 'fcm',
  chat: 'slack',
} as const satisfies Record<Channel, string>;

/** Returns the provider of a step of this type, unless its workflow names another. A digest or a delay has none. */
export function defaultProvider(type: string): string | null {
  return new Map<string, string>(Object.entries(providerOf)).get(type) ?? null;
}

/** What «…» stands for in providers.json. The page is an error page of 100 kB, as seen in `raw`. */
const planted: Readonly<Record<string, string>> = {
  ...plantedSecrets,
  enormousPage: `<!DOCTYPE html><html><body>${'<p>Service unavailable</p>'.repeat(4000)}</body></html>`,
};

const withPlanted = (json: string): string => json.replace(/«(\w+)»/g, (_, name) => planted[name] ?? '');

interface Provider {
  /** In the service's words. */
  name: string;
  channel: Channel;
  integration: { name: string; credentials: Json };
  outage: unknown;
  everyday: readonly unknown[];
}

/**
 * Each provider, with its integration in an environment, and its refusals as the service keeps them, which differ by channel: an SMS
 * provider's body without the status, a push client's error with its stack, a chat webhook's address.
 */
export const providers = new Map<string, Provider>(Object.entries(JSON.parse(withPlanted(JSON.stringify(known)))));

export function outageOf(provider: string): ProviderFailure {
  if (provider === 'http_request') return { detail: wording.actionFailed, raw: JSON.stringify({ error: 'ETIMEDOUT' }) };
  return refused(providers.get(provider)?.outage ?? { message: 'ETIMEDOUT' });
}

export function everydayFailuresOf(provider: string): readonly [ProviderFailure, ...ProviderFailure[]] {
  const [first, ...others] = providers.get(provider)?.everyday.map(refused) ?? [];
  const notRendered = { detail: wording.contentNotGenerated, raw: 'Liquid error: undefined variable payload.name' };
  return [first ?? (provider === 'http_request' ? outageOf(provider) : notRendered), ...others];
}

export function refused(answer: unknown): ProviderFailure {
  return { detail: wording.providerError, raw: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

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
