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
