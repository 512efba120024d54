import { z } from 'zod';
import { StoredTime } from '../store/columns.ts';

export type MessageKind =
  | 'digest'
  | 'silence'
  | 'changes'
  | 'summary'
  | 'watch-ended'
  | 'thread'
  | 'personal'
  | 'sending';

/** Reasons that a line in the thread can alert to while the incident is still so. */
export const LINES = {
  critical: 'any',
  grown: 'unresolved',
  escalated: 'unacknowledged',
  flared: 'unresolved',
} as const;
export type LineReason = keyof typeof LINES;
const LINE_REASONS = Object.keys(LINES) as LineReason[];
export const isLineReason = (what: string): what is LineReason => Object.hasOwn(LINES, what);

export const ALERT_REASONS = ['new', 'relapsed', ...LINE_REASONS, 'missed', 'goes-on', 'single', 'personal'] as const;
export type AlertReason = (typeof ALERT_REASONS)[number];

export const MUST_ARRIVE: readonly MessageKind[] = ['digest', 'silence', 'watch-ended'];

/** Why Slack refuses a channel's messages. A person's watch then ends, the configured one keeps trying. */
export const WATCH_END_WORDS = {
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
export type WatchEnd = keyof typeof WATCH_END_WORDS;
export const WATCH_ENDS = Object.keys(WATCH_END_WORDS) as WatchEnd[];

/** Who caused a direct message, and where: if it doesn't arrive, it is said there. */
export const Owner = z.object({ person: z.string(), channel: z.string().nullable() });
export type Owner = z.output<typeof Owner>;

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

const IncidentAction = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['acknowledged', 'unacknowledged', 'resolved', 'reopened']) }),
  z.object({ what: z.literal('assigned'), to: z.string() }),
  z.object({ what: z.literal('noted'), text: z.string() }),
]);
export type IncidentAction = z.output<typeof IncidentAction>;

const MuteEndReason = z.enum(['resolved', 'relapsed', 'critical', 'grown']);
export type MuteEndReason = z.output<typeof MuteEndReason>;

/** A null `actor` is Notif. */
export const IncidentEvent = z
  .discriminatedUnion('what', [
    IncidentAction,
    z.object({ what: z.literal('muted'), until: StoredTime }),
    z.object({ what: z.literal('unmuted'), why: MuteEndReason.optional() }),
    z.object({ what: z.enum(LINE_REASONS) }),
    z.object({ what: z.literal('unreached'), to: z.string(), code: z.string() }),
  ])
  .and(z.object({ actor: z.string().nullable(), at: StoredTime }));
export type IncidentEvent = z.output<typeof IncidentEvent>;

export const PersonalNotice = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['assigned', 'taken']), actor: z.string(), to: z.string() }),
  z.object({ what: z.literal('unacknowledged'), actor: z.string() }),
  z.object({ what: z.enum(['escalated', 'ended', 'back', 'followed']) }),
]);
export type PersonalNotice = z.output<typeof PersonalNotice>;
