import { type Dispatch, type SetStateAction, useEffect } from 'react';
import type { Conversation, PostedMessage, Snapshot } from '../page-protocol.ts';

function isInChannel(message: PostedMessage, all: readonly PostedMessage[]): boolean {
  return message.isBroadcast || !isReply(message) || !all.some(({ ts }) => ts === message.threadTs);
}

const isReply = ({ ts, threadTs }: PostedMessage): boolean => threadTs !== null && threadTs !== ts;

export function repliesIn(thread: string, all: readonly PostedMessage[]): readonly PostedMessage[] {
  return all.filter((message) => isReply(message) && message.threadTs === thread);
}

export type LogEntry =
  | { kind: 'day'; at: number }
  | { kind: 'message'; message: PostedMessage; isContinuation: boolean; replies: readonly PostedMessage[] };

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

type ReadMarks = { [conversationId: string]: string };
export type MarksOfPeople = { [personId: string]: ReadMarks };

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

/** The marks outlive the workspace, which is opened anew for each person that the user acts as. */
export function useUnread(
  { me, conversations }: Snapshot,
  openId: string | null,
  [marksOf, setMarksOf]: readonly [MarksOfPeople, Dispatch<SetStateAction<MarksOfPeople>>],
): ReadonlyMap<string, number> {
  useEffect(() => {
    setMarksOf((before) => ({ ...before, [me.id]: moveReadMarks(before[me.id], conversations, openId) }));
  }, [me.id, conversations, openId, setMarksOf]);
  const marks = marksOf[me.id] ?? moveReadMarks(undefined, conversations, openId);
  return new Map(conversations.map((each) => [each.id, each.id === openId ? 0 : countUnread(marks, each, me.id)]));
}
