import type { Sharing } from '../../domain/access/shared-channel.ts';

/** What Slack tells of its channels. */
export interface Channels {
  /** A channel as it is now; null where there is none, or where it is private and Notif is not in it. Rejects with Slack's error. */
  ask(channel: string): Promise<ChannelNow | null>;
  /** Whether everybody in the workspace can look into a channel, by what Slack said some minutes ago at most; false where it did not say. */
  isPublic(channel: string): Promise<boolean>;
  /** Whether people of another organization can read a conversation. Never rejects. */
  sharing(channel: string): Promise<Sharing>;
}

export interface ChannelNow {
  readonly isPublic: boolean;
  readonly isArchived: boolean;
  /** Notif is in it, or it is a direct message with Notif. */
  readonly isMember: boolean;
  readonly sharing: Sharing;
}
