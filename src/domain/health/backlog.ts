import type { WatchEnd } from '../watches/watch.ts';

/** The messages to watches that Slack has not taken yet. */
export interface Backlog {
  readonly waiting: number;
  /** When the oldest of them was written; null where none waits. */
  readonly oldest: Date | null;
  /**
   * The same of those that wait for Notif, or for Slack as a whole. The others wait for somebody to fix their channel: a digest for
   * a channel that Notif was not invited to says nothing about the rest.
   */
  readonly oldestHeldUp: Date | null;
}

/** Why a message may wait for its channel; the words stand with it in the store. */
export const WAITS_FOR_CHANNEL: readonly WatchEnd[] = [
  'channel-archived',
  'channel-left',
  'channel-unknown',
  'channel-restricted',
];
