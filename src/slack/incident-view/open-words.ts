import type { OpenCount } from '../../incidents/open-incidents.ts';
import type { Silent } from '../../incidents/silences.ts';
import { maskedId } from '../../lib/text/shown-id.ts';
import type { ListedMute } from '../../watches/listed-mutes.ts';
import { mutedPart, mutedTime } from '../kit/mute-words.ts';
import { numberOf } from '../kit/names.ts';
import { channelLink, joined, type Line, listed, type Markup, mrkdwn, named, plural, present } from '../kit/text.ts';
import { time } from '../kit/times.ts';

export const ALL_UP_TO_DATE = mrkdwn`✅ *All up to date: events checked, alerts sent*`;

export function openWords({ firing, critical, unconfirmed }: OpenCount, where: Line = null): Line[] {
  const worst = critical > 0 && mrkdwn`(${critical} critical)`;
  return [
    firing > 0 && joined([mrkdwn`🔴 *${plural(firing, 'incident')}* failing`, worst, where], ' '),
    unconfirmed > 0 && joined([mrkdwn`⚪ ${plural(unconfirmed, 'incident')} recovering or unconfirmed`, where], ' '),
  ];
}

export function silenceWords({ workflow, name, since, usually, incidentId }: Silent, label: string): Markup {
  const silent = name ?? workflow;
  const what = silent === null ? label : mrkdwn`${named(maskedId(silent))} in ${label}`;
  return mrkdwn`🔇 *No event of ${what} since ${time(since)}* (${usually}) ${numberOf(incidentId)}`;
}

export function mutesWords(mutes: readonly ListedMute[]): Line {
  const channelMutes = mutes.filter(({ incident }) => incident === null);
  const channels = channelMutes.map((mute) => {
    const what = mutedPart(mute) ?? plural(mute.watches, 'watch', 'watches');
    const { from, until: to, isPlanned } = mute;
    return mrkdwn`${what} in ${channelLink(mute.channel)} muted ${mutedTime({ from, to, isPlanned })}`;
  });
  const incidents = new Set(mutes.flatMap(({ incident }) => incident?.id ?? [])).size;
  const words = present([listed(channels), incidents > 0 && mrkdwn`${plural(incidents, 'incident')} muted`]);
  return words.length > 0 && mrkdwn`🔕 ${joined(words, ', ')}`;
}
