import type { PostedMessage } from '../page-protocol.ts';

/** Returns whether a message is in the conversation itself: for a reply, if the person can't see its parent. */
export function isInChannel(message: PostedMessage, all: readonly PostedMessage[]): boolean {
  return !isReply(message) || !all.some(({ ts }) => ts === message.threadTs);
}

/** Returns the replies to a message that everybody sees, in order. */
export function repliesTo({ ts }: PostedMessage, all: readonly PostedMessage[]): PostedMessage[] {
  return threadOf(ts, all).replies.filter(({ onlyVisibleTo }) => onlyVisibleTo === null);
}

export interface Thread {
  /** Undefined if it was deleted. */
  readonly parent: PostedMessage | undefined;
  /** Includes ephemeral ones. */
  readonly replies: readonly PostedMessage[];
}

/** Returns the thread below the message with this ts. */
export function threadOf(ts: string, all: readonly PostedMessage[]): Thread {
  return {
    parent: all.find((message) => message.ts === ts),
    replies: all.filter((message) => isReply(message) && message.threadTs === ts),
  };
}

function isReply({ ts, threadTs }: PostedMessage): boolean {
  return threadTs !== null && threadTs !== ts;
}
