import type { Failure, VerdictCounts } from '../../../failures/failure.ts';
import { COUNTED_VERDICTS, type FailureVerdict, isAnnounced, VERDICT_WORDS } from '../../../failures/verdict.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import type { Outcome } from '../../../lookups/outcome.ts';
import { channelName } from '../../../service/channels.ts';
import { cut, FEWEST_FOR_PERCENT, type Markup, mrkdwn, percent, plural } from '../text.ts';

const BUILT_IN = 'built in';

const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ...'SendGrid SES Mailgun Mailjet Postmark Resend SparkPost Twilio MessageBird Telnyx Plivo SNS FCM APNs Expo Slack Discord'
    .split(' ')
    .map((name) => [name.toLowerCase(), name] as const),
  ['sendinblue', 'Brevo'],
  ['nexmo', 'Vonage'],
  ['one-signal', 'OneSignal'],
  ['msteams', 'Microsoft Teams'],
  ['whatsapp-business', 'WhatsApp'],
  // The service's own.
  ...['svc', 'svc-email', 'svc-sms', 'svc-slack', 'novu', 'novu-email', 'novu-sms', 'novu-slack'].map(
    (id) => [id, BUILT_IN] as const,
  ),
]);

const LONGEST_UNKNOWN = 80;

export function providerName(provider: string): string {
  return PROVIDER_NAMES.get(provider) ?? cut(maskedId(provider), LONGEST_UNKNOWN);
}

export function namedProvider(provider: string | null): string | null {
  const name = provider === null ? null : providerName(provider);
  return name === BUILT_IN ? null : name;
}

/** 'email', 'SMS', 'push message', 'HTTP request' */
export function messageOf(channel: string): string {
  return `${channelName(channel)}${['in_app', 'chat', 'push'].includes(channel) ? ' message' : ''}`;
}

/** An incident of the service itself has no channel. */
export function channelVia(channel: string, provider: string | null): string {
  if (channel === '') return 'Service';
  const name = capitalised(channelName(channel));
  return provider === null ? name : `${name} · ${providerName(provider)}`;
}

export const OUTCOME_EMOJI: { [O in Outcome]: string } = {
  delivered: '✅',
  failed: '🔴',
  'partly-failed': '🔴',
  bounced: '🟠',
  complained: '🟠',
  unsubscribed: '⚪',
  undeliverable: '🟠',
  'not-sent': '⏭️',
  'skipped-by-design': '⏭️',
  'retried-then-fine': '✅',
  'in-progress': '⏳',
  stuck: '🟡',
  warning: '⚠️',
  ...{ merged: '⏭️', 'not-shown': '❔' },
};

export const OUTCOME_WORDS: { [O in Outcome]: string } = {
  ...VERDICT_WORDS,
  ...{ merged: 'merged', 'not-shown': 'outcome not shown' },
};

export function outcomeCount(outcome: Outcome, count: number): Markup {
  if (outcome === 'warning') return plural(count, 'warning');
  return outcome === 'not-shown' ? mrkdwn`${count} with no outcome shown` : mrkdwn`${count} ${OUTCOME_WORDS[outcome]}`;
}

export function countedWords(counts: VerdictCounts): Markup[] {
  const present = COUNTED_VERDICTS.filter((verdict) => (counts[verdict] ?? 0) > 0);
  return present.map((verdict) => outcomeCount(verdict, counts[verdict] ?? 0));
}

export const numberOf = (id: number): Markup => mrkdwn`#${String(id)}`;

export function failureCount(verdict: FailureVerdict, count: number): Markup {
  return isAnnounced(verdict) ? plural(count, 'failure') : outcomeCount(verdict, count);
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
export const peopleCount = (count: number): Markup => plural(count, 'person', 'people');

/** A late failure counts in another period than its event, so more can fail than were checked. */
export function failedShare(failedEvents: number, eventsChecked: number): string {
  const isShare = eventsChecked >= FEWEST_FOR_PERCENT && failedEvents <= eventsChecked;
  return isShare ? ` (${percent(failedEvents, eventsChecked)})` : '';
}

export function workflowNameOf({ workflow, workflowName }: Pick<Failure, 'workflow' | 'workflowName'>): string {
  return maskedId(workflow ?? workflowName ?? 'deleted workflow');
}
