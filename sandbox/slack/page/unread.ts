import { type Dispatch, type SetStateAction, useEffect } from 'react';
import type { Conversation, PostedMessage, Snapshot } from '../page-protocol.ts';
import { isReply } from './log.ts';

/** The timestamp of the newest message that a person has read, by conversation. */
type ReadMarks = { [conversationId: string]: string };
export type MarksOfPeople = { [personId: string]: ReadMarks };
export type MarksState = readonly [MarksOfPeople, Dispatch<SetStateAction<MarksOfPeople>>];

/**
 * Returns the number of unread messages of each conversation. The marks are handed in because they outlive this page of the workspace,
 * which is drawn anew for each person that the user acts as.
 */
export function useUnread(
  { me, conversations }: Snapshot,
  openId: string | null,
  [marksOf, setMarksOf]: MarksState,
): ReadonlyMap<string, number> {
  useEffect(() => {
    setMarksOf((before) => ({ ...before, [me.id]: moveReadMarks(before[me.id], conversations, openId) }));
  }, [me.id, conversations, openId, setMarksOf]);
  const marks = marksOf[me.id] ?? moveReadMarks(undefined, conversations, openId);
  return new Map(conversations.map((each) => [each.id, each.id === openId ? 0 : countUnread(marks, each, me.id)]));
}

/** Marks the open conversation as read to its end, and at first every one. A conversation that the bot opens later is unread. */
function moveReadMarks(
  marks: ReadMarks | undefined,
  conversations: readonly Conversation[],
  openId: string | null,
): ReadMarks {
  const moved = conversations.map(({ id, messages }) => {
    const isRead = id === openId || marks === undefined;
    return [id, isRead ? (messages.at(-1)?.ts ?? '0') : (marks[id] ?? '0')];
  });
  return Object.fromEntries(moved);
}

/** Counts new messages of others in the channel, without replies in threads. */
export function countUnread(marks: ReadMarks, { id, messages }: Conversation, me: string): number {
  const isNew = ({ ts, author }: PostedMessage) => Number(ts) > Number(marks[id] ?? 0) && author !== me;
  return messages.filter((message) => isNew(message) && (message.isBroadcast || !isReply(message))).length;
}
