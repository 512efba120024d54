import { type Environment, labelled } from '../../../domain/environment.ts';
import type { Headline, HeadlinePoint, SeverityCount, UncheckedReason } from '../../../domain/health/headline.ts';
import { STORE_TROUBLES } from '../../../domain/health/store-trouble.ts';
import type { MutedChannel, OpenSeverity } from '../../../domain/incidents/outstanding.ts';
import { describeDuration } from '../../../domain/time/time-range.ts';
import { badge } from '../badge.ts';
import { datedWindow, windowsWords } from '../incident/window-words.ts';
import { bold, channelLink, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { READING_WORDS } from './reading-lines.ts';

export function headlineWords(headline: Headline, environments: readonly Environment[]): Markup {
  if (headline.length === 0) return mrkdwn`✅ *All caught up: events checked, alerts sent*`;
  return joined(
    headline.map((point) => pointWords(point, environments)),
    ' · ',
  );
}

function pointWords(point: HeadlinePoint, environments: readonly Environment[]): Markup {
  switch (point.point) {
    case 'database-away':
      return mrkdwn`⚠️ *Needs attention:* the database isn't responding`;
    case 'failing':
      return mrkdwn`🔴 ${bold(failingWords(point))}`;
    case 'quiet':
      return mrkdwn`⚪ ${plural(point.incidents, 'incident')} without failures lately, not resolved`;
    case 'muted':
      return mrkdwn`🔕 ${mutedWords(point)}`;
    case 'pending':
      return mrkdwn`⏳ ${pendingWords(point)}`;
    case 'unchecked':
      return mrkdwn`⚠️ *Needs attention:* ${named(point.reasons, (one) => uncheckedWords(one, environments), ' · ')}`;
    case 'still-checking':
      return mrkdwn`⚪ still being checked: ${named(point.environments, (one) => badge(labelled(one, environments)), ', ')}`;
  }
}

/** A headline is one line: what is named beyond these is only counted. */
const MOST_NAMED = 5;

function named<One>(all: readonly One[], wordsOf: (one: One) => Markup, separator: string): Markup {
  const left = all.length - MOST_NAMED;
  const words = joined(all.slice(0, MOST_NAMED).map(wordsOf), separator);
  return left > 0 ? mrkdwn`${words} and ${left} more` : words;
}

function failingWords({ incidents, bySeverity }: { incidents: number; bySeverity: readonly SeverityCount[] }): Markup {
  const words = mrkdwn`${plural(incidents, 'incident')} failing`;
  if (bySeverity.every(({ severity }) => severity === 'other')) return words;
  const counts = bySeverity.map(({ severity, incidents: count }) => mrkdwn`${count} ${SEVERITY_WORDS[severity]}`);
  return mrkdwn`${words}: ${joined(counts, ', ')}`;
}

const SEVERITY_WORDS: Readonly<Record<OpenSeverity, string>> = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  other: 'without severity',
};

/** A headline is one line: channels beyond these, whose mutes end last, are only counted. */
const MOST_CHANNELS = 3;

function mutedWords({ channels, incidents }: { channels: readonly MutedChannel[]; incidents: number }): Markup {
  const left = channels.length - MOST_CHANNELS;
  return joined(
    [
      ...channels.slice(0, MOST_CHANNELS).map(mutedChannelWords),
      ...(left > 0 ? [mrkdwn`${plural(left, 'more channel')} muted`] : []),
      ...(incidents > 0 ? [mrkdwn`${plural(incidents, 'incident')} muted`] : []),
    ],
    ', ',
  );
}

function mutedChannelWords({ channel, muted, watches, until }: MutedChannel): Markup {
  const where = channel === null ? mrkdwn`a private channel` : channelLink(channel);
  const what = muted === watches ? where : mrkdwn`${muted} of ${plural(watches, 'watch', 'watches')} in ${where}`;
  const isOne = muted === watches || muted === 1;
  return mrkdwn`${what} ${isOne ? 'is' : 'are'} muted until ${time(until, 'day')}`;
}

export function pendingWords(pending: {
  readonly messages: number;
  readonly oldestAgeMs: number;
  readonly isOnlyChannels: boolean;
}): Markup {
  const why = pending.isOnlyChannels ? ', blocked by channel problems' : '';
  return mrkdwn`${plural(pending.messages, 'message')} pending, oldest ${describeDuration(pending.oldestAgeMs)}${why}`;
}

function uncheckedWords(reason: UncheckedReason, environments: readonly Environment[]): Markup {
  switch (reason.is) {
    case 'reading':
      return mrkdwn`${badge(labelled(reason.environment, environments))} ${READING_WORDS[reason.condition]}`;
    case 'windows':
      return mrkdwn`${badge(labelled(reason.environment, environments))} not checked ${windowsWords(reason.windows, datedWindow)}`;
    case 'unreadable':
      return mrkdwn`${badge(labelled(reason.environment, environments))} has ${plural(reason.events, 'unreadable event')}`;
    case 'no-environment':
      return mrkdwn`none of this watch's environments is configured`;
    case 'check-failed':
      return mrkdwn`${badge(labelled(reason.environment, environments))} couldn't be checked just now`;
    case 'slack-away':
      return mrkdwn`no connection to Slack`;
    case 'behind':
      return mrkdwn`${reason.loop.delays} are behind`;
    case 'store':
      return mrkdwn`${STORE_TROUBLES[reason.trouble].what.replace(/\.$/, '')}`;
  }
}
