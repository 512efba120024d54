import type { WatchEnd, WatchEndedContent } from '../../domain/delivery.ts';
import { type MessageContent, message, section } from '../blocks/blocks.ts';
import { channelLink, code, joined, type Markup, mrkdwn } from '../blocks/text.ts';

/** To whoever made a watch, or may take care of it: it has ended, or can not tell anything, and what brings it back. */
export function watchEndedMessage({ watch, why }: WatchEndedContent): MessageContent {
  const channel = channelLink(watch.channel);
  const lines =
    watch.createdBy === null
      ? [
          mrkdwn`⚠️ *Digests for ${channel} can not be posted: ${WHY[why]}.*`,
          mrkdwn`${MEND[why]}, or set NOTIF_DIGEST_CHANNEL to another channel. Notif goes on trying, and nothing is lost meanwhile.`,
        ]
      : [
          mrkdwn`⚠️ *${why === 'creator-gone' ? mrkdwn`A watch` : mrkdwn`Your watch`} in ${channel} has ended: ${WHY[why]}.*`,
          mrkdwn`Failures are not told there any more. ${MEND[why]}, then make it again there: ${code('/notif watch')}.`,
        ];
  return message(joined(lines, ' '), [section(joined(lines, '\n'))]);
}

const WHY: { readonly [Why in WatchEnd]: string } = {
  'channel-archived': 'the channel is archived',
  'channel-restricted': "the channel's posting permissions keep Notif out",
  'channel-left': 'Notif is not in the channel any more',
  'channel-unknown': 'Slack does not know the channel, or does not show it to Notif',
  'creator-gone': 'whoever made it has left, and nobody has taken it over',
};

const MEND: { readonly [Why in WatchEnd]: Markup } = {
  'channel-archived': mrkdwn`Unarchive the channel`,
  'channel-restricted': mrkdwn`Let Notif post in the channel`,
  'channel-left': mrkdwn`Invite Notif to the channel (${code('/invite @Notif')})`,
  'channel-unknown': mrkdwn`Invite Notif if the channel is private`,
  'creator-gone': mrkdwn`Decide who takes care of it`,
};
