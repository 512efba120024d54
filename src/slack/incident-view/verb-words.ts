interface VerbWords {
  /** Of its button. */
  label: string;
  /** What a person did, in the timeline and in answers. */
  did: string;
  /** What follows from it, where that isn't clear. */
  effect?: string;
  /** Why nothing changed, after the incident's number. */
  unchanged: string;
}

/** What people do to an incident. */
type VerbName =
  | ('acknowledged' | 'unacknowledged' | 'assigned' | 'resolved' | 'reopened' | 'noted')
  | ('muted' | 'unmuted' | 'followed' | 'unfollowed');

export const VERB_WORDS: Record<VerbName, VerbWords> = {
  acknowledged: {
    label: 'Acknowledge',
    did: '👀 Acknowledged',
    effect: 'Mentions stop.',
    unchanged: 'is already acknowledged',
  },
  unacknowledged: {
    label: 'Unacknowledge',
    did: '↩️ Unacknowledged',
    effect: 'Its alerts mention people again.',
    unchanged: "isn't acknowledged",
  },
  assigned: { label: 'Assign…', did: '🙋 Assigned', unchanged: 'is already assigned' },
  resolved: {
    label: 'Resolve',
    did: '✅ Resolved',
    effect: 'If it fails again, it is alerted to again.',
    unchanged: 'is already resolved',
  },
  reopened: {
    label: 'Reopen',
    did: '↩️ Reopened',
    unchanged: "isn't resolved by anyone, so there is nothing to reopen",
  },
  noted: { label: 'Add a note…', did: '📝 Note', unchanged: 'has this note already' },
  muted: {
    label: 'Mute…',
    did: '🔕 Muted',
    unchanged: 'is in no watch here: mute it in a channel that it was alerted in',
  },
  unmuted: { label: 'Unmute', did: '🔔 Unmuted', unchanged: "isn't muted here" },
  followed: { label: 'Follow', did: '👣 Following', unchanged: 'is already followed by you' },
  unfollowed: { label: 'Unfollow', did: '👣 No longer following', unchanged: "isn't followed by you" },
};
