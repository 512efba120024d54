import { useEffect, useState } from 'react';
import type { Snapshot } from '../page-protocol.ts';
import { countUnread, moveReadMarks, type ReadMarks, type Unread } from './unread.ts';

const nothing: Unread = { messages: 0, mentions: 0 };

interface Reading {
  /** What is unread in each conversation. */
  readonly unread: ReadonlyMap<string, Unread>;
  /** Returns the ts up to which the person has read a conversation; null if unknown. */
  readonly checkedTo: (conversationId: string) => string | null;
}

/** Keeps track of how far this snapshot's person has read, for each person until the page is reloaded. */
export function useUnread(snapshot: Snapshot | null, openId: string | null): Reading {
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
