import type { PostedMessage } from '../page-protocol.ts';

export interface Thread {
  readonly parent: PostedMessage;
  readonly replies: readonly PostedMessage[];
}

/** Puts replies under the message they answer, in order. A reply whose parent this person cannot see stands by itself. */
export function groupThreads(messages: readonly PostedMessage[]): Thread[] {
  const visible = new Set(messages.map(({ ts }) => ts));
  const isReply = ({ ts, threadTs }: PostedMessage) => threadTs !== null && threadTs !== ts && visible.has(threadTs);
  return messages
    .filter((message) => !isReply(message))
    .map((parent) => ({ parent, replies: messages.filter((each) => isReply(each) && each.threadTs === parent.ts) }));
}
