export type MessageKind =
  | 'digest'
  | 'silence'
  | 'changes'
  | 'summary'
  | 'watch-ended'
  | 'thread'
  | 'personal'
  | 'sending';

/** A line in the thread can be the alert. */
export const LINE_REASONS = ['critical', 'grown', 'escalated', 'flared'] as const;
export const ALERT_REASONS = ['new', 'relapsed', ...LINE_REASONS, 'missed', 'goes-on', 'single', 'personal'] as const;
export type AlertReason = (typeof ALERT_REASONS)[number];

export const MUST_ARRIVE: readonly MessageKind[] = ['digest', 'silence', 'watch-ended'];

/** Why Slack refuses a channel's messages: a person's watch ends, the configured one keeps trying. */
export const WATCH_ENDS = ['channel-archived', 'channel-left', 'channel-unknown', 'channel-restricted'] as const;
export type WatchEnd = (typeof WATCH_ENDS)[number];

export const WATCH_END_WORDS: { readonly [Why in WatchEnd]: { why: string; fix: string } } = {
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
};
