import type { Failure } from '../../judging/failure.ts';
import { maskedId, type Storable } from '../../lib/text/shown-id.ts';
import { channelName } from '../../service/channels.ts';
import { cut, type Markup, mrkdwn } from './text.ts';

const BUILT_IN = 'built in';

const PROVIDER_NAMES = new Map([
  ...'SendGrid SES Mailgun Mailjet Postmark Resend SparkPost Twilio MessageBird Telnyx Plivo SNS FCM APNs Expo Slack Discord'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
  ['sendinblue', 'Brevo'],
  ['nexmo', 'Vonage'],
  ['one-signal', 'OneSignal'],
  ['msteams', 'Microsoft Teams'],
  ['whatsapp-business', 'WhatsApp'],
  // The service's built-in providers, as both kinds of servers call them.
  ...['', '-email', '-sms', '-slack'].flatMap((kind) => ['svc', 'novu'].map((id) => [id + kind, BUILT_IN] as const)),
]);

/** Of a provider that isn't in the list, in characters: its ID is whatever the service says. */
const LONGEST_UNKNOWN = 80;

export function providerName(provider: string): string {
  return PROVIDER_NAMES.get(provider) ?? cut(maskedId(provider), LONGEST_UNKNOWN);
}

/** Null without a provider, and for the service's built-in ones, whose name says nothing. */
export function namedProvider(provider: string | null): string | null {
  const name = provider === null ? null : providerName(provider);
  return name === BUILT_IN ? null : name;
}

export function channelVia(channel: string, provider: string | null): string {
  if (channel === '') return 'Service';
  const name = capitalized(channelName(channel));
  return provider === null ? name : `${name} · ${providerName(provider)}`;
}

export const numberOf = (id: number): Markup => mrkdwn`#${String(id)}`;

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export function workflowNameOf({ workflow, workflowName }: Pick<Failure, 'workflow' | 'workflowName'>): Storable {
  return maskedId(workflow ?? workflowName ?? 'deleted workflow');
}
