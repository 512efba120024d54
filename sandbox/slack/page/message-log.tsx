import { type ReactNode, useEffect, useState } from 'react';
import type { Conversation, PostedMessage } from '../page-protocol.ts';
import { type LogEntry, layLog } from './log.ts';
import { MessageView } from './message-view.tsx';
import { isInChannel } from './threads.ts';
import { useEscape } from './use-escape.ts';
import { useStickToEnd } from './use-stick-to-end.ts';
import { useWorkspace } from './workspace.ts';

interface MessageLogProps {
  readonly conversation: Conversation;
  readonly title: string;
  /** The ts up to which it had been read when it was opened; null if everything counts as read. */
  readonly checkedTo: string | null;
  /** Changes when the person has posted, which scrolls to the end. */
  readonly said: number;
}

/** Shows a conversation's messages. Escape marks all as read and scrolls to the end. */
export function MessageLog({ conversation, title, checkedTo, said }: MessageLogProps): ReactNode {
  const { snapshot, thread } = useWorkspace();
  const { frame, content, isAtEnd, scrollToEnd } = useStickToEnd();
  const [isAllRead, setAllRead] = useState(false);
  const { id, messages } = conversation;
  const { timeZone } = snapshot.me;
  const entries = layLog(messages, {
    checkedTo: isAllRead ? null : checkedTo,
    me: snapshot.me.id,
    dayOf: (at) => dayOf(at, timeZone),
  });
  const below = useMissed(messages, isAtEnd);
  useEffect(() => {
    if (said > 0) scrollToEnd();
  }, [said, scrollToEnd]);
  useEscape(
    thread === null
      ? () => {
          setAllRead(true);
          scrollToEnd();
        }
      : null,
  );
  return (
    <div className="log-frame">
      <div ref={frame} className="log" role="log" aria-label={`Messages in ${title}`}>
        <div ref={content}>
          {entries.length === 0 && <p className="quiet">Nothing was said here yet.</p>}
          {entries.map((entry) => drawEntry(entry, id, timeZone))}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="jump" onClick={scrollToEnd}>
          ↓ {below === 0 ? 'Jump to latest' : `${below} new ${below === 1 ? 'message' : 'messages'}`}
        </button>
      )}
    </div>
  );
}

function drawEntry(entry: LogEntry, channel: string, timeZone: string): ReactNode {
  switch (entry.kind) {
    case 'day':
      return (
        <h3 key={`day ${entry.at}`} className="rule">
          <span>{wordsForDay(entry.at, Date.now(), timeZone)}</span>
        </h3>
      );
    case 'new':
      return (
        <h3 key="new" className="rule new">
          <span>New</span>
        </h3>
      );
    case 'message':
      return <MessageView key={entry.message.ts} channel={channel} {...entry} />;
  }
}

/** Returns the number of messages since the end was last visible. */
function useMissed(messages: readonly PostedMessage[], isAtEnd: boolean): number {
  const end = messages.at(-1)?.ts ?? '0';
  const [seenTo, setSeenTo] = useState(end);
  useEffect(() => {
    if (isAtEnd) setSeenTo(end);
  }, [isAtEnd, end]);
  return messages.filter((message) => Number(message.ts) > Number(seenTo) && isInChannel(message, messages)).length;
}

function dayOf(at: number, timeZone: string): string {
  return new Date(at).toLocaleDateString('en-CA', { timeZone });
}

const DAY_MS = 86_400_000;

function wordsForDay(at: number, now: number, timeZone: string): string {
  if (dayOf(at, timeZone) === dayOf(now, timeZone)) return 'Today';
  if (dayOf(at, timeZone) === dayOf(now - DAY_MS, timeZone)) return 'Yesterday';
  return new Intl.DateTimeFormat(undefined, { timeZone, weekday: 'long', day: 'numeric', month: 'long' }).format(at);
}
