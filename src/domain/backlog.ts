/** The messages to watches that Slack has not taken yet. */
export interface Backlog {
  readonly waiting: number;
  /** When the oldest of them was written; null where none waits. */
  readonly oldest: Date | null;
  /**
   * The same of those that wait for Notif, or for Slack as a whole. The others wait for somebody to mend their channel: a digest for
   * a channel that Notif was not invited to says nothing about the rest.
   */
  readonly oldestHeldUp: Date | null;
}

/** Slack's words for what is wrong with one channel and has to be mended there. */
export const CHANNEL_REFUSALS: readonly string[] = [
  'is_archived',
  'not_in_channel',
  'channel_not_found',
  'restricted_action',
  'restricted_action_read_only_channel',
];
