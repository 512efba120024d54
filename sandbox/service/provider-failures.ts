import { type Channel, channelRows, isChannel, type Json } from './entities.ts';
import plantedSecrets from './planted-secrets.json' with { type: 'json' };
import known from './providers.json' with { type: 'json' };
import wording from './wording.json' with { type: 'json' };

/** The service's own words for what happens to a step, and invented secrets, which nothing that the bot posts, stores or logs may hold. */
export { plantedSecrets, wording };

export interface ProviderFailure {
  detail: string;
  raw: string;
}

/** Returns the provider of a step of this type, unless its workflow names another. A digest or a delay has none. */
export const defaultProvider = (type: string): string | null => (isChannel(type) ? channelRows[type].provider : null);

/** These texts replace «…» in providers.json. The page is an error page of 100 kB, as seen in `raw`. */
const planted: Readonly<Record<string, string>> = {
  ...plantedSecrets,
  enormousPage: `<!DOCTYPE html><html><body>${'<p>Service unavailable</p>'.repeat(4000)}</body></html>`,
};

const withPlanted = (json: string): string => json.replace(/«(\w+)»/g, (_, name) => planted[name] ?? '');

interface Provider {
  /** The service's name for the provider, as in "Amazon SES provider was selected". */
  name: string;
  channel: Channel;
  integration: { name: string; credentials: Json };
  outage: unknown;
  everyday: readonly unknown[];
}

/** Refusals are as the service keeps them, which differs by channel: an SMS provider's body, a push client's error with its stack. */
export const providers = new Map<string, Provider>(Object.entries(JSON.parse(withPlanted(JSON.stringify(known)))));

/** An HTTP request step has no provider: its type is in the provider's place. */
export function outageOf(provider: string): ProviderFailure {
  if (provider === 'http_request') return { detail: wording.actionFailed, raw: JSON.stringify({ error: 'ETIMEDOUT' }) };
  return refused(providers.get(provider)?.outage ?? { message: 'ETIMEDOUT' });
}

/** In-app messages have no provider that refuses them, so only their template can fail. */
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
