import { useEffect, useState } from 'react';
import type { Snapshot } from '../page-protocol.ts';
import { countUnread, moveReadMarks, type ReadMarks, type Unread } from './unread.ts';

const nothing: Unread = { messages: 0, mentions: 0 };

/** What each conversation has that is unseen for the person of this snapshot; remembered for each person until the page is reloaded. */
export function useUnread(snapshot: Snapshot | null, openId: string | null): ReadonlyMap<string, Unread> {
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
  if (snapshot === null || marks === undefined) return new Map();
  return new Map(
    snapshot.conversations.map((each) => [each.id, each.id === openId ? nothing : countUnread(marks, each)]),
  );
}
