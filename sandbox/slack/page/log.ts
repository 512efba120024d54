import type { PostedMessage } from '../page-protocol.ts';
import { isInChannel, repliesTo } from './threads.ts';

/** What is in a conversation's log, from top to bottom. */
export type LogEntry =
  /** Here a day begins, of which this is a time in milliseconds. */
  | { readonly kind: 'day'; readonly at: number }
  /** Below this the person has seen nothing yet. */
  | { readonly kind: 'new' }
  | {
      readonly kind: 'message';
      readonly message: PostedMessage;
      /** It goes on where its author has just said something: neither picture nor name are repeated. */
      readonly continues: boolean;
      readonly replies: readonly PostedMessage[];
    };

interface Reading {
  /** The ts up to which the person had read when the conversation was opened; null where all of it counts as read. */
  readonly readTo: string | null;
  /** The id of the person who looks: what one says oneself is not new. */
  readonly me: string;
  /** What tells one day from another, for a time in milliseconds. */
  readonly dayOf: (at: number) => string;
}

/** Slack repeats the name after a while. */
const GROUP_MS = 5 * 60_000;

/** The messages of a conversation without the replies, grouped by author, with a divider for each day and a line above what is new. */
export function layLog(messages: readonly PostedMessage[], { readTo, me, dayOf }: Reading): LogEntry[] {
  const inChannel = messages.filter((message) => isInChannel(message, messages));
  const firstNew =
    readTo === null ? undefined : inChannel.find(({ ts, author }) => author !== me && Number(ts) > Number(readTo));
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

/** Whether a message stands below the one before it without a name of its own. */
export function goesOn(before: PostedMessage, message: PostedMessage): boolean {
  return (
    before.author === message.author &&
    before.onlyVisibleTo === message.onlyVisibleTo &&
    !message.replyBroadcast &&
    timeOf(message) - timeOf(before) < GROUP_MS
  );
}

/** When a message was posted, in milliseconds. */
function timeOf({ ts }: PostedMessage): number {
  return Number(ts) * 1_000;
}
