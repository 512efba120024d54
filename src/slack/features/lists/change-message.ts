import type { AuditedIncident, ChangeOutcome, NumberedEntry } from '../../../audit/entry.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { maskedId } from '../../../lib/text/shown-id.ts';
import { noteWords } from '../../kit/incident/incident-words.ts';
import { channelVia } from '../../kit/incident/names.ts';
import { badge, code, type Markup, mrkdwn, named, person, plural } from '../../kit/text.ts';
import { time } from '../../kit/times.ts';

export function changeWords({ change, outcome }: NumberedEntry, environments: readonly Environment[]): Markup {
  const isDone = outcome.is === 'done' || outcome.is === 'sent';
  switch (change.action) {
    case 'trigger':
      return mrkdwn`${isDone ? 'triggered' : 'tried to trigger'} ${plural(change.recipients, 'event')} of ${code(maskedId(change.workflow))}`;
    case 'credentials':
      return mrkdwn`${isDone ? 'updated' : 'tried to update'} credentials of ${code(maskedId(change.subscriberId), 255)} for ${named(change.provider)}`;
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
      return mrkdwn`muted ${incidentName(change.incident)} until ${time(change.until, 'day')}`;
    case 'incident-unmuted':
      return mrkdwn`unmuted ${incidentName(change.incident)}`;
    case 'acknowledged':
      return mrkdwn`acknowledged ${incidentName(change.incident)}`;
    case 'assigned':
      return mrkdwn`assigned ${incidentName(change.incident)} to ${person(change.to)}`;
    case 'unacknowledged':
      return mrkdwn`unacknowledged ${incidentName(change.incident)}`;
    case 'resolved':
      return mrkdwn`resolved ${incidentName(change.incident)}`;
    case 'noted':
      return mrkdwn`added a note to ${incidentName(change.incident)}: ${noteWords(change)}`;
    case 'deployed':
      return mrkdwn`reported a deploy`;
    case 'channel-environment':
      return change.to === null
        ? mrkdwn`removed the channel's environment`
        : mrkdwn`set the channel's environment to ${badge(labelled(change.to, environments))}`;
  }
}

function watchWords(watch: string): Markup {
  return code(maskedId(`/notif watch ${watch}`), 250);
}

function incidentName({ number, channel, provider }: AuditedIncident): Markup {
  const name = named(channelVia(channel, provider));
  return number === null ? name : mrkdwn`#${String(number)} ${name}`;
}

export function outcomeLine(outcome: ChangeOutcome): Markup {
  return mrkdwn`${emojiOf(outcome)} ${outcomeWords(outcome) ?? 'done'}`;
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
