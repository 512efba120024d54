import type { WatchEnd } from '../watches/settings.ts';

export interface Backlog {
  readonly waiting: number;
  readonly oldest: Date | null;
  /** Of those held up by Notif, or by Slack as a whole. The others wait for somebody to fix their channel. */
  readonly oldestHeldUp: Date | null;
}

export interface BlockedChannel {
  readonly channel: string;
  readonly reason: WatchEnd;
  readonly messages: number;
  readonly oldest: Date;
}
