import type { Sharing } from '../../domain/access/shared-channel.ts';

export interface Channels {
  /** Looks up a channel; null if it doesn't exist, or is private and Notif isn't in it. Rejects with Slack's error. */
  ask(channel: string): Promise<ChannelNow | null>;
  /** Returns whether everybody in the workspace can read a channel, by Slack's answer of the last minutes; false if Slack didn't say. */
  isPublic(channel: string): Promise<boolean>;
  /** Returns whether people of another organization can read a conversation. Never rejects. */
  sharing(channel: string): Promise<Sharing>;
}

export interface ChannelNow {
  readonly isPublic: boolean;
  readonly isArchived: boolean;
  /** Notif is in it, or it is a direct message with Notif. */
  readonly isMember: boolean;
  readonly sharing: Sharing;
}
