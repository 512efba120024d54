import type { Conversation } from '../page-protocol.ts';

/** How far a person has read: conversation id -> ts of the last message seen ('' in an empty conversation). */
export type ReadMarks = { readonly [conversationId: string]: string };

/**
 * Moves the marks to where they belong now: the open conversation is read to its end; a conversation seen for the first time counts as
 * read when `firstLook`, and from its first message otherwise (a direct message that the bot just opened).
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

/** How many messages the person has not seen in this conversation. */
export function countUnread(marks: ReadMarks, { id, messages }: Conversation): number {
  const mark = Number(marks[id] ?? 0);
  return messages.filter(({ ts }) => Number(ts) > mark).length;
}
