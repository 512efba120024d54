import type { Backlog } from '../../../digests/outbox.ts';
import type { OpenCount } from '../../../incidents/lists.ts';
import { describeDuration } from '../../../lib/time/time-range.ts';
import type { Mutes } from '../../../watches/mutes.ts';
import { bold, channelLink, firstOf, joined, type Markup, mrkdwn, plural } from '../text.ts';
import { time } from '../times.ts';

export interface Headline {
  open: OpenCount;
  mutes: Mutes;
  backlog: Backlog;
}

export function headlineWords({ open, mutes, backlog }: Headline, at: Date): Markup[] {
  const { firing, critical, unconfirmed } = open;
  const worst = critical === 0 ? mrkdwn`` : mrkdwn` (${critical} critical)`;
  const pendingMs = at.getTime() - (backlog.oldest ?? at).getTime();
  const blocked = backlog.oldestHeldUp === null ? ', blocked by channel problems' : '';
  return [
    ...(firing === 0 ? [] : [mrkdwn`🔴 ${bold(plural(firing, 'incident'))} failing${worst}`]),
    ...(unconfirmed === 0 ? [] : [mrkdwn`⚪ ${plural(unconfirmed, 'incident')} recovering or unconfirmed`]),
    ...mutedWords(mutes),
    ...(backlog.waiting === 0
      ? []
      : [mrkdwn`⏳ ${plural(backlog.waiting, 'message')} pending, oldest ${describeDuration(pendingMs)}${blocked}`]),
  ];
}

const MOST_CHANNELS = 3;

function mutedWords({ mutes, mutedIncidents }: Mutes): Markup[] {
  const channels = mutes.map(({ channel, muted, watches, until }) => {
    const where = channel === null ? mrkdwn`a private channel` : channelLink(channel);
    const what = muted === watches ? where : mrkdwn`${muted} of ${plural(watches, 'watch', 'watches')} in ${where}`;
    return mrkdwn`${what} muted until ${time(until, 'day')}`;
  });
  const incidents = mutedIncidents > 0 ? [mrkdwn`${plural(mutedIncidents, 'incident')} muted`] : [];
  const words = [...firstOf(channels, MOST_CHANNELS), ...incidents];
  return words.length === 0 ? [] : [mrkdwn`🔕 ${joined(words, ', ')}`];
}
