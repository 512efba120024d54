import type { WatchEndedContent } from '../../../digests/message.ts';
import type { WatchEnd } from '../../../watches/settings.ts';
import { type MessageContent, message, section } from '../../kit/blocks.ts';
import { channelLink, code, joined, type Markup, mrkdwn } from '../../kit/text.ts';

/** For the watch's creator, or the person who can take care of it. */
export function watchEndedMessage({ watch, why }: WatchEndedContent): MessageContent {
  const channel = channelLink(watch.channel);
  const lines =
    watch.createdBy === null
      ? [
          mrkdwn`⚠️ *Alerts for ${channel} can't be posted: ${WHY[why]}.*`,
          mrkdwn`${FIX[why]}, or set NOTIF_DIGEST_CHANNEL to another channel. Notif keeps trying, and nothing is lost meanwhile.`,
        ]
      : [
          mrkdwn`⚠️ *Your watch in ${channel} was removed: ${WHY[why]}.*`,
          mrkdwn`It no longer sends alerts. ${FIX[why]}, then create it again there: ${code('/notif watch')}.`,
        ];
  return message(joined(lines, ' '), [section(joined(lines, '\n'))]);
}

const WHY: { readonly [Why in WatchEnd]: string } = {
  'channel-archived': 'the channel is archived',
  'channel-restricted': "the channel's posting permissions keep Notif out",
  'channel-left': 'Notif is no longer in the channel',
  'channel-unknown': "Slack doesn't know the channel, or doesn't show it to Notif",
};

const FIX: { readonly [Why in WatchEnd]: Markup } = {
  'channel-archived': mrkdwn`Unarchive the channel`,
  'channel-restricted': mrkdwn`Let Notif post in the channel`,
  'channel-left': mrkdwn`Invite Notif to the channel (${code('/invite @Notif')})`,
  'channel-unknown': mrkdwn`Invite Notif if the channel is private, or choose another one if it was deleted`,
};
