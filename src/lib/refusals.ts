/** Why Slack refuses, or refused, a channel's messages, and what somebody there can do. */
export const CHANNEL_REFUSAL_WORDS = {
  'channel-archived': {
    why: 'the channel is archived',
    was: 'the channel was archived',
    fix: 'Unarchive the channel',
  },
  'channel-restricted': {
    why: "the channel's posting permissions keep Notif out",
    was: "the channel's posting permissions kept Notif out",
    fix: 'Let Notif post in the channel',
  },
  'channel-left': {
    why: 'Notif is no longer in the channel',
    was: 'Notif was no longer in the channel',
    fix: 'Invite Notif to the channel',
  },
  'channel-unknown': {
    why: "Slack doesn't show the channel to Notif",
    was: "Slack didn't show the channel to Notif",
    fix: 'Invite Notif, or choose another channel',
  },
} as const;

export type ChannelRefusal = keyof typeof CHANNEL_REFUSAL_WORDS;
export const CHANNEL_REFUSALS = Object.keys(CHANNEL_REFUSAL_WORDS) as ChannelRefusal[];

/** Slack's code for an app to which nobody can write, and which can write to nobody. */
export const TAB_OFF = 'messages_tab_disabled';

const UNREACHED: readonly (readonly [code: RegExp, why: string, fix: string])[] = [
  [
    /^messages_tab_disabled$/,
    "the Slack app's Messages Tab is off",
    'Have it turned on: App Home, Show Tabs, Messages Tab',
  ],
  [/^(user|account)_(disabled|deactivated|inactive|removed)/, 'the account is deactivated', 'Choose somebody else'],
  [/_bot$/, 'Slack lets no app write to bots', 'Choose a person'],
  [/_not_(found|visible)$/, "Slack doesn't show the person to Notif", 'Choose a member of this workspace'],
  [/^is_archived$/, 'the direct message with Notif is closed', 'Have it opened again: Apps, Notif'],
  [/restricted|not_allowed|denied|permission/, "the workspace's settings forbid it", 'Ask an admin of the workspace'],
];

export const isUnreached = (code: string): boolean => UNREACHED.some(([pattern]) => pattern.test(code));

/** Why Slack refuses direct messages to a person, by its code, and what to do. */
export function unreachedWords(code: string): { why: string; fix: string } {
  const known = UNREACHED.find(([pattern]) => pattern.test(code)) ?? [];
  const [, why = 'Slack gives no other reason', fix = "Ask Notif's admins: its log has more"] = known;
  return { why: `${why} (${code})`, fix };
}
