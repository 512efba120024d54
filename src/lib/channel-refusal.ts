/** Why Slack refuses a channel's messages, and what somebody there can do. */
export const CHANNEL_REFUSAL_WORDS = {
  'channel-archived': { why: 'the channel is archived', fix: 'Unarchive the channel' },
  'channel-restricted': {
    why: "the channel's posting permissions keep Notif out",
    fix: 'Let Notif post in the channel',
  },
  'channel-left': { why: 'Notif is no longer in the channel', fix: 'Invite Notif to the channel' },
  'channel-unknown': {
    why: "Slack doesn't show the channel to Notif",
    fix: 'Invite Notif, or choose another channel',
  },
} as const;

export type ChannelRefusal = keyof typeof CHANNEL_REFUSAL_WORDS;
export const CHANNEL_REFUSALS = Object.keys(CHANNEL_REFUSAL_WORDS) as ChannelRefusal[];
