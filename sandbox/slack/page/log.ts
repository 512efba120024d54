import type { PostedMessage } from '../page-protocol.ts';
import { isInChannel, repliesTo } from './threads.ts';

/** An entry of a conversation's log, from top to bottom. */
export type LogEntry =
  /** The beginning of a day; `at` is a time on it in milliseconds. */
  | { readonly kind: 'day'; readonly at: number }
  /** The line above what the person hasn't seen. */
  | { readonly kind: 'new' }
  | {
      readonly kind: 'message';
      readonly message: PostedMessage;
      /** Whether the author has just said something, so that image and name aren't repeated. */
      readonly continues: boolean;
      readonly replies: readonly PostedMessage[];
    };

interface Reading {
  /** The ts up to which the person had read when the conversation was opened; null if everything counts as read. */
  readonly checkedTo: string | null;
  /** The ID of the person who looks; their own messages aren't new. */
  readonly me: string;
  /** Returns a key that identifies the day of a time in milliseconds. */
  readonly dayOf: (at: number) => string;
}

/** The time after which Slack repeats the name. */
const GROUP_MS = 5 * 60_000;

/** Returns a conversation's messages without the replies, grouped by author, with a divider for each day and a line above what is new. */
export function layLog(messages: readonly PostedMessage[], { checkedTo, me, dayOf }: Reading): LogEntry[] {
  const inChannel = messages.filter((message) => isInChannel(message, messages));
  const firstNew =
    checkedTo === null
      ? undefined
      : inChannel.find(({ ts, author }) => author !== me && Number(ts) > Number(checkedTo));
  return inChannel.flatMap((message, index) => {
    const before = inChannel[index - 1];
    const isNewDay = before === undefined || dayOf(timeOf(before)) !== dayOf(timeOf(message));
    const isNew = message === firstNew;
    const dividers: LogEntry[] = [
      ...(isNewDay ? [{ kind: 'day', at: timeOf(message) } as const] : []),
      ...(isNew ? [{ kind: 'new' } as const] : []),
    ];
    const continues = before !== undefined && dividers.length === 0 && goesOn(before, message);
    return [...dividers, { kind: 'message', message, continues, replies: repliesTo(message, messages) }];
  });
}

/** Returns whether a message follows the one before it without repeating the name. */
export function goesOn(before: PostedMessage, message: PostedMessage): boolean {
  return (
    before.author === message.author &&
    before.onlyVisibleTo === message.onlyVisibleTo &&
    timeOf(message) - timeOf(before) < GROUP_MS
  );
}

/** Returns a message's time in milliseconds. */
function timeOf({ ts }: PostedMessage): number {
  return Number(ts) * 1_000;
}
