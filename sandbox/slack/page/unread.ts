import type { Conversation } from '../page-protocol.ts';

/** How far a person has read: conversation ID -> ts of the last message seen ('' in an empty conversation). */
export type ReadMarks = { readonly [conversationId: string]: string };

/**
 * Updates the marks: the open conversation is read to its end. A new conversation counts as read at the `firstLook`, and otherwise as
 * unread from its first message (a direct message that the bot just opened).
 */
export function moveReadMarks(
  marks: ReadMarks,
  conversations: readonly Conversation[],
  openId: string | null,
  firstLook: boolean,
): ReadMarks {
  const moved = conversations.map(({ id, messages }) => {
    const end = messages.at(-1)?.ts ?? '';
    return [id, id === openId ? end : (marks[id] ?? (firstLook ? end : ''))];
  });
  return Object.fromEntries(moved);
}

/** What the person hasn't seen in a conversation: the number of messages, and how many of them mention the person. */
export interface Unread {
  readonly messages: number;
  readonly mentions: number;
}

export function countUnread(marks: ReadMarks, { id, messages }: Conversation): Unread {
  const mark = Number(marks[id] ?? 0);
  const unseen = messages.filter(({ ts }) => Number(ts) > mark);
  return { messages: unseen.length, mentions: unseen.filter(({ mentionsMe }) => mentionsMe).length };
}
