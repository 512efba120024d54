import { useEffect, useState } from 'react';
import type { Conversation, PostedMessage, Snapshot } from '../page-protocol.ts';

/** Returns whether a message is in the conversation itself: for a reply, if it is there as well, or the person can't see its parent. */
export function isInChannel(message: PostedMessage, all: readonly PostedMessage[]): boolean {
  return message.isBroadcast || !isReply(message) || !all.some(({ ts }) => ts === message.threadTs);
}

export function repliesTo({ ts }: PostedMessage, all: readonly PostedMessage[]): PostedMessage[] {
  return threadOf(ts, all).replies.filter(({ onlyVisibleTo }) => onlyVisibleTo === null);
}

export interface Thread {
  /** Undefined if it was deleted. */
  readonly parent: PostedMessage | undefined;
  /** Includes ephemeral ones. */
  readonly replies: readonly PostedMessage[];
}

export function threadOf(ts: string, all: readonly PostedMessage[]): Thread {
  return {
    parent: all.find((message) => message.ts === ts),
    replies: all.filter((message) => isReply(message) && message.threadTs === ts),
  };
}

function isReply({ ts, threadTs }: PostedMessage): boolean {
  return threadTs !== null && threadTs !== ts;
}

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

function timeOf({ ts }: PostedMessage): number {
  return Number(ts) * 1_000;
}

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

const nothing: Unread = { messages: 0, mentions: 0 };

interface ReadState {
  readonly unread: ReadonlyMap<string, Unread>;
  /** Returns the ts up to which the person has read a conversation; null if unknown. */
  readonly checkedTo: (conversationId: string) => string | null;
}

/** Keeps track of how far this snapshot's person has read, for each person until the page is reloaded. */
export function useUnread(snapshot: Snapshot | null, openId: string | null): ReadState {
  const [marksOf, setMarksOf] = useState<{ readonly [personId: string]: ReadMarks }>({});
  useEffect(() => {
    if (snapshot === null) return;
    const { me, conversations } = snapshot;
    setMarksOf((before) => {
      const marks = moveReadMarks(before[me.id] ?? {}, conversations, openId, before[me.id] === undefined);
      return { ...before, [me.id]: marks };
    });
  }, [snapshot, openId]);
  const marks = snapshot === null ? undefined : marksOf[snapshot.me.id];
  const checkedTo = (id: string) => marks?.[id] ?? null;
  if (snapshot === null || marks === undefined) return { unread: new Map(), checkedTo };
  const unread = new Map(
    snapshot.conversations.map((each) => [each.id, each.id === openId ? nothing : countUnread(marks, each)]),
  );
  return { unread, checkedTo };
}
