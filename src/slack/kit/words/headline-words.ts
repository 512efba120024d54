import type { Headline, UncheckedReason } from '../../../health/headline.ts';
import type { MutedChannel, OpenSeverity } from '../../../health/outstanding.ts';
import { STORE_TROUBLES } from '../../../health/store-trouble.ts';
import { type Environment, labelled } from '../../../lib/environment.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import { datedWindow, windowsWords } from '../incident/window-words.ts';
import { badge, bold, channelLink, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';
import { READINGS } from './reading-lines.ts';

/** Orders the points as somebody on call acts on them: open incidents, mutes, pending messages, then what is unchecked. */
export function headlineWords(headline: Headline, environments: readonly Environment[]): Markup {
  const { open, pending, unchecked, stillChecking } = headline;
  const quiet = open.reduce((total, severity) => total + severity.quiet, 0);
  const reasons = named(unchecked, (reason) => uncheckedWords(reason, environments), ' · ');
  const checking = named(stillChecking, (name) => badge(labelled(name, environments)), ', ');
  const points = [
    ...failingWords(open),
    ...(quiet === 0 ? [] : [mrkdwn`⚪ ${plural(quiet, 'incident')} without failures lately, not resolved`]),
    ...mutedWords(headline),
    ...(pending.messages === 0 ? [] : [mrkdwn`⏳ ${pendingWords(pending)}`]),
    ...(unchecked.length === 0 ? [] : [mrkdwn`⚠️ *Needs attention:* ${reasons}`]),
    ...(stillChecking.length === 0 ? [] : [mrkdwn`⚪ still being checked: ${checking}`]),
  ];
  return points.length === 0 ? mrkdwn`✅ *All caught up: events checked, alerts sent*` : joined(points, ' · ');
}

/** A headline is one line: what is named beyond these is only counted. */
const MOST_NAMED = 5;

function named<Item>(all: readonly Item[], wordsOf: (item: Item) => Markup, separator: string): Markup {
  const left = all.length - MOST_NAMED;
  const words = joined(all.slice(0, MOST_NAMED).map(wordsOf), separator);
  return left > 0 ? mrkdwn`${words} and ${left} more` : words;
}

function failingWords(open: Headline['open']): Markup[] {
  const failing = open.filter((severity) => severity.failing > 0);
  const total = failing.reduce((sum, severity) => sum + severity.failing, 0);
  if (total === 0) return [];
  const words = `${plural(total, 'incident')} failing`;
  if (failing.every(({ severity }) => severity === 'other')) return [mrkdwn`🔴 ${bold(words)}`];
  const counts = failing.map(({ severity, failing: count }) => `${count} ${SEVERITY_WORDS[severity]}`);
  return [mrkdwn`🔴 ${bold(`${words}: ${counts.join(', ')}`)}`];
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

function mutedWords({ mutes, mutedIncidents }: Headline): Markup[] {
  const left = mutes.length - MOST_CHANNELS;
  const words = [
    ...mutes.slice(0, MOST_CHANNELS).map(mutedChannelWords),
    ...(left > 0 ? [mrkdwn`${plural(left, 'more channel')} muted`] : []),
    ...(mutedIncidents > 0 ? [mrkdwn`${plural(mutedIncidents, 'incident')} muted`] : []),
  ];
  return words.length === 0 ? [] : [mrkdwn`🔕 ${joined(words, ', ')}`];
}

function mutedChannelWords({ channel, muted, watches, until }: MutedChannel): Markup {
  const where = channel === null ? mrkdwn`a private channel` : channelLink(channel);
  const what = muted === watches ? where : mrkdwn`${muted} of ${plural(watches, 'watch', 'watches')} in ${where}`;
  const isOne = muted === watches || muted === 1;
  return mrkdwn`${what} ${isOne ? 'is' : 'are'} muted until ${time(until, 'day')}`;
}

function pendingWords({ messages, oldestAgeMs, isOnlyChannels }: Headline['pending']): Markup {
  const why = isOnlyChannels ? ', blocked by channel problems' : '';
  return mrkdwn`${plural(messages, 'message')} pending, oldest ${describeDuration(oldestAgeMs)}${why}`;
}

function uncheckedWords(reason: UncheckedReason, environments: readonly Environment[]): Markup {
  const where = 'environment' in reason ? badge(labelled(reason.environment, environments)) : mrkdwn``;
  switch (reason.is) {
    case 'reading':
      return mrkdwn`${where} ${READINGS[reason.condition][1]}`;
    case 'windows':
      return mrkdwn`${where} not checked ${windowsWords(reason.windows, datedWindow)}`;
    case 'unreadable':
      return mrkdwn`${where} has ${plural(reason.events, 'unreadable event')}`;
    case 'no-environment':
      return mrkdwn`none of this watch's environments is configured`;
    case 'check-failed':
      return mrkdwn`${where} couldn't be checked just now`;
    case 'slack-away':
      return mrkdwn`no connection to Slack`;
    case 'behind':
      return mrkdwn`${reason.loop.delays} are behind`;
    case 'store':
      return mrkdwn`${STORE_TROUBLES[reason.trouble].what.replace(/\.$/, '')}`;
  }
}
