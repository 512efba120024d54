import type { PostedMessage } from '../page-protocol.ts';

export type LogEntry =
  | { kind: 'day'; at: number }
  /** A continuation has no name and picture of its own. */
  | { kind: 'message'; message: PostedMessage; isContinuation: boolean; replies: readonly PostedMessage[] };

/** Lays out a channel, divided by days. */
export function layLog(messages: readonly PostedMessage[], dayOf: (at: number) => string): LogEntry[] {
  const inChannel = messages.filter((message) => isInChannel(message, messages));
  return inChannel.flatMap((message, index): LogEntry[] => {
    const before = inChannel[index - 1];
    const at = timeOf(message);
    const isNewDay = before === undefined || dayOf(timeOf(before)) !== dayOf(at);
    const isContinuation = !isNewDay && areGrouped(before, message);
    const replies = repliesIn(message.ts, messages).filter(({ onlyVisibleTo }) => onlyVisibleTo === null);
    return [...(isNewDay ? [{ kind: 'day', at } as const] : []), { kind: 'message', message, isContinuation, replies }];
  });
}

/** Replies stay in their thread, unless they were also sent to the channel, or the thread's message is gone. */
function isInChannel(message: PostedMessage, all: readonly PostedMessage[]): boolean {
  return message.isBroadcast || !isReply(message) || !all.some(({ ts }) => ts === message.threadTs);
}

export const isReply = ({ ts, threadTs }: PostedMessage): boolean => threadTs !== null && threadTs !== ts;

export function repliesIn(thread: string, all: readonly PostedMessage[]): readonly PostedMessage[] {
  return all.filter((message) => isReply(message) && message.threadTs === thread);
}

/** As in Slack, messages of one author so close to each other share a name and picture. */
const GROUP_MS = 5 * 60_000;

export function areGrouped(before: PostedMessage | undefined, message: PostedMessage): boolean {
  return (
    before?.author === message.author &&
    before.onlyVisibleTo === message.onlyVisibleTo &&
    timeOf(message) - timeOf(before) < GROUP_MS
  );
}

const timeOf = ({ ts }: PostedMessage): number => Number(ts) * 1_000;
