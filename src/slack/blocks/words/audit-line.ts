import type { AuditEntry, AuditedGroup, ChangeOutcome } from '../../../domain/access/audit.ts';
import { type Environment, labelled } from '../../../domain/environment.ts';
import { maskedId } from '../../../domain/text/shown-id.ts';
import { badge } from '../badge.ts';
import { channelVia } from '../incident/channel-name.ts';
import { idCode } from '../shown-id.ts';
import { channelLink, joined, type Markup, mrkdwn, named, person, plural } from '../text.ts';
import { time } from '../times.ts';

/** Describes an entry of the audit trail in two lines: outcome, person and change; place and time. */
export function auditLine(entry: AuditEntry, environments: readonly Environment[]): Markup {
  const { at, actor, channel, environment, outcome } = entry;
  const where = environment === null ? [] : [mrkdwn`in ${badge(labelled(environment, environments))}`];
  const came = outcomeWords(outcome);
  const what = joined([mrkdwn`${emojiOf(outcome)} ${person(actor)}`, changeWords(entry, environments), ...where], ' ');
  const from = channel === null ? [] : [channel.startsWith('D') ? mrkdwn`in a direct message` : channelLink(channel)];
  return joined([came === null ? what : mrkdwn`${what}: ${came}`, joined([time(at, 'day'), ...from], ' · ')], '\n');
}

function emojiOf(outcome: ChangeOutcome): string {
  switch (outcome.is) {
    case 'begun':
      return '⏳';
    case 'done':
      return '✅';
    case 'sent':
      return outcome.refused === 0 ? '✅' : outcome.accepted === 0 ? '🔴' : '🟡';
    case 'refused':
      return '🔴';
    case 'unknown':
      return '🟡';
  }
}

/** 'acknowledged: Email · SendGrid — order-shipped (mailbox full)' */
export function changeWords({ change, outcome }: AuditEntry, environments: readonly Environment[]): Markup {
  const isDone = outcome.is === 'done' || outcome.is === 'sent';
  switch (change.action) {
    case 'trigger':
      return mrkdwn`${isDone ? 'triggered' : 'tried to trigger'} ${plural(change.recipients, 'event')} of ${idCode(change.workflow, 'everyone')}`;
    case 'credentials':
      return mrkdwn`${isDone ? 'updated' : 'tried to update'} credentials of ${idCode(change.subscriberId, 'everyone', 255)} for ${named(change.provider)}`;
    case 'watch-made':
      return mrkdwn`created a watch: ${watchWords(change.watch)}`;
    case 'watch-changed':
      return mrkdwn`changed a watch, now: ${watchWords(change.watch)}`;
    case 'watch-ended':
      return mrkdwn`removed a watch: ${watchWords(change.watch)}`;
    case 'watch-muted':
      return mrkdwn`muted a watch until ${time(change.until, 'day')}: ${watchWords(change.watch)}`;
    case 'watch-unmuted':
      return mrkdwn`unmuted a watch: ${watchWords(change.watch)}`;
    case 'incident-muted':
      return mrkdwn`muted until ${time(change.until, 'day')}: ${groupWords(change.group)}`;
    case 'incident-unmuted':
      return mrkdwn`unmuted: ${groupWords(change.group)}`;
    case 'acknowledged':
      return mrkdwn`acknowledged: ${groupWords(change.group)}`;
    case 'assigned':
      return mrkdwn`assigned to ${person(change.to)}: ${groupWords(change.group)}`;
    case 'unacknowledged':
      return mrkdwn`unacknowledged: ${groupWords(change.group)}`;
    case 'resolved':
      return mrkdwn`resolved: ${groupWords(change.group)}`;
    case 'noted':
      return mrkdwn`added a note: ${groupWords(change.group)}`;
    case 'deployed':
      return mrkdwn`reported a deploy`;
    case 'channel-environment':
      return change.to === null
        ? mrkdwn`removed the channel's environment`
        : mrkdwn`set the channel's environment to ${badge(labelled(change.to, environments))}`;
  }
}

/** Returns the command that would create the watch again. */
function watchWords(watch: string): Markup {
  return idCode(`/notif watch ${watch}`, 'everyone', 250);
}

function groupWords({ workflow, channel, provider, cause }: AuditedGroup): Markup {
  const of = workflow === null ? mrkdwn`` : mrkdwn` — ${named(maskedId(workflow))}`;
  return mrkdwn`${named(channelVia(channel, provider))}${of} (${named(cause)})`;
}

/** '✅ done', '🟡 2 accepted, 1 refused' */
export function outcomeLine(outcome: ChangeOutcome): Markup {
  return mrkdwn`${emojiOf(outcome)} ${outcomeWords(outcome) ?? 'done'}`;
}

/** Null if the change simply succeeded. */
function outcomeWords(outcome: ChangeOutcome): Markup | null {
  switch (outcome.is) {
    case 'done':
      return null;
    case 'begun':
      return mrkdwn`outcome not known yet`;
    case 'unknown':
      return mrkdwn`outcome unknown: it may have gone through`;
    case 'sent':
      return sentWords(outcome);
    case 'refused':
      return mrkdwn`nothing was changed, ${WHY[outcome.why]}`;
  }
}

function sentWords({ accepted, refused }: Extract<ChangeOutcome, { is: 'sent' }>): Markup {
  return refused === 0 ? mrkdwn`all accepted` : mrkdwn`${accepted} accepted, ${refused} refused`;
}

const WHY: Readonly<Record<Extract<ChangeOutcome, { is: 'refused' }>['why'], string>> = {
  refused: 'the service refused it',
  'key-refused': "the API key was refused, or doesn't allow this",
  'beyond-plan': 'it was beyond the plan',
  'still-running': 'the same request was running',
  'too-large': 'it was too large',
  'rate-limited': 'the rate limit was used up',
  'service-error': 'the service had an error of its own',
  gateway: 'a gateway answered instead',
  'no-progress': 'its list repeated itself',
  unreadable: "the answer couldn't be read",
  'timed-out': "the service didn't answer in time",
  unreachable: 'there was no connection',
  busy: 'too many requests were queued',
  'not-found': 'there was no such subscriber',
};
