import type { WatchEnd } from '../watches/watch.ts';

/** The messages to watches that Slack has not accepted yet. */
export interface Backlog {
  readonly waiting: number;
  /** When the oldest of them was written; null if there are none. */
  readonly oldest: Date | null;
  /**
   * The same for those held up by Notif, or by Slack as a whole. The others wait for somebody to fix their channel: a digest for a channel
   * that Notif was not invited to says nothing about the rest.
   */
  readonly oldestHeldUp: Date | null;
}

export interface BlockedChannel {
  readonly channel: string;
  readonly reason: WatchEnd;
  readonly messages: number;
  /** When the oldest of them was written. */
  readonly oldest: Date;
}
