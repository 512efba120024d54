import type { PostedMessage } from '../page-protocol.ts';

/** Whether a message is in the conversation itself: a reply does where it was sent there too, or where the person cannot see what it answers. */
export function isInChannel(message: PostedMessage, all: readonly PostedMessage[]): boolean {
  return !isReply(message) || message.replyBroadcast || !all.some(({ ts }) => ts === message.threadTs);
}

/** What everybody sees below a message, in order. */
export function repliesTo({ ts }: PostedMessage, all: readonly PostedMessage[]): PostedMessage[] {
  return threadOf(ts, all).replies.filter(({ onlyVisibleTo }) => onlyVisibleTo === null);
}

export interface Thread {
  /** Undefined where it was deleted. */
  readonly parent: PostedMessage | undefined;
  /** With those that only this person sees. */
  readonly replies: readonly PostedMessage[];
}

/** The thread below the message with this ts. */
export function threadOf(ts: string, all: readonly PostedMessage[]): Thread {
  return {
    parent: all.find((message) => message.ts === ts),
    replies: all.filter((message) => isReply(message) && message.threadTs === ts),
  };
}

function isReply({ ts, threadTs }: PostedMessage): boolean {
  return threadTs !== null && threadTs !== ts;
}
