import { maskedId } from '../../../lib/text/shown-id.ts';
import { cut } from '../text.ts';
import { capitalised } from './verdict-word.ts';

const CHANNEL_NAMES: ReadonlyMap<string, string> = new Map([
  ...['email', 'chat', 'push'].map((name) => [name, name] as const),
  ['in_app', 'in-app'],
  ['sms', 'SMS'],
]);

const BUILT_IN = 'built in';

const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ...['SendGrid', 'SES', 'Mailgun', 'Mailjet', 'Postmark', 'Resend', 'SparkPost', 'Twilio', 'MessageBird'].map(byId),
  ...['Telnyx', 'Plivo', 'SNS', 'FCM', 'APNs', 'Expo', 'Slack', 'Discord'].map(byId),
  ['sendinblue', 'Brevo'],
  ['nexmo', 'Vonage'],
  ['one-signal', 'OneSignal'],
  ['msteams', 'Microsoft Teams'],
  ['whatsapp-business', 'WhatsApp'],
  // The service's own providers: its inbox, and those it offers for getting started.
  ...['svc', 'svc-email', 'svc-sms', 'svc-slack'].map((id) => [id, BUILT_IN] as const),
]);

function byId(name: string): readonly [string, string] {
  return [name.toLowerCase(), name];
}

/** What is unknown can have any length, and mustn't crowd out what follows it in its section. */
const LONGEST_UNKNOWN = 80;

export function channelName(channel: string): string {
  return CHANNEL_NAMES.get(channel) ?? cut(maskedId(channel), LONGEST_UNKNOWN);
}

export function isKnownProvider(id: string): boolean {
  return PROVIDER_NAMES.has(id);
}

export function providerName(provider: string): string {
  return PROVIDER_NAMES.get(provider) ?? cut(maskedId(provider), LONGEST_UNKNOWN);
}

/** Null for the service's own, which people know by their channel. */
export function namedProvider(provider: string | null): string | null {
  const name = provider === null ? null : providerName(provider);
  return name === BUILT_IN ? null : name;
}

/** What goes out by a channel: 'email', 'SMS', 'push message'. */
export function messageOf(channel: string): string {
  const name = channelName(channel);
  return channel === 'email' || channel === 'sms' ? name : `${name} message`;
}

export function channelVia(channel: string, provider: string | null): string {
  const name = capitalised(channelName(channel));
  return provider === null ? name : `${name} · ${providerName(provider)}`;
}
