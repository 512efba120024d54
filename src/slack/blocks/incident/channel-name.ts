import { maskedId } from '../../../domain/text/shown-id.ts';
import { capitalised } from './verdict-word.ts';

/** Step types as people say them; an unknown one is shown as it is. */
const CHANNEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['in_app', 'in-app'],
  ['email', 'email'],
  ['sms', 'SMS'],
  ['chat', 'chat'],
  ['push', 'push'],
]);

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
  // The service's own: its inbox, and what it offers for first steps without a provider.
  ['svc', 'built in'],
  ['svc-email', 'built in'],
  ['svc-sms', 'built in'],
  ['svc-slack', 'built in'],
]);

/** 'in-app'; one that isn't known goes by its id, without the contacts in it. */
export function channelName(channel: string): string {
  return CHANNEL_NAMES.get(channel) ?? maskedId(channel);
}

/** Whether it's the id of a provider that has a name here. */
export function isKnownProvider(id: string): boolean {
  return PROVIDER_NAMES.has(id);
}

/** 'SendGrid'; a provider without a known name goes by its id, without the contacts in it. */
export function providerName(provider: string): string {
  return PROVIDER_NAMES.get(provider) ?? maskedId(provider);
}

/** 'Email · SendGrid' */
export function channelVia(channel: string, provider: string | null): string {
  const name = capitalised(channelName(channel));
  return provider === null ? name : `${name} · ${providerName(provider)}`;
}
