import { maskedId } from '../../../lib/text/shown-id.ts';
import { cut } from '../text.ts';
import { capitalised } from './verdict-word.ts';

const CHANNEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['in_app', 'in-app'],
  ['email', 'email'],
  ['sms', 'SMS'],
  ['chat', 'chat'],
  ['push', 'push'],
]);

const BUILT_IN = 'built in';

const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['sendgrid', 'SendGrid'],
  ['ses', 'SES'],
  ['mailgun', 'Mailgun'],
  ['mailjet', 'Mailjet'],
  ['postmark', 'Postmark'],
  ['resend', 'Resend'],
  ['sparkpost', 'SparkPost'],
  ['sendinblue', 'Brevo'],
  ['twilio', 'Twilio'],
  ['nexmo', 'Vonage'],
  ['messagebird', 'MessageBird'],
  ['telnyx', 'Telnyx'],
  ['plivo', 'Plivo'],
  ['sns', 'SNS'],
  ['fcm', 'FCM'],
  ['apns', 'APNs'],
  ['expo', 'Expo'],
  ['one-signal', 'OneSignal'],
  ['slack', 'Slack'],
  ['msteams', 'Microsoft Teams'],
  ['discord', 'Discord'],
  ['whatsapp-business', 'WhatsApp'],
  // The service's own providers: its inbox, and those it offers for getting started.
  ['svc', BUILT_IN],
  ['svc-email', BUILT_IN],
  ['svc-sms', BUILT_IN],
  ['svc-slack', BUILT_IN],
]);

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
