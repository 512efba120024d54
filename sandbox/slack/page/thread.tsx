import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { Composer } from './composer.tsx';
import { useEscape, useLog } from './hooks.ts';
import { areGrouped, repliesIn } from './log.ts';
import { countOfReplies, MessageView } from './message.tsx';
import { titleOf } from './sidebar.tsx';

interface OpenThread {
  /** The timestamp of the thread's first message. */
  thread: string | null;
  openThread: (ts: string) => void;
  closeThread: () => void;
}

/** The thread that is open beside the conversation. Closing it returns the focus to what had it before, or to the composer. */
export function useThread(): OpenThread {
  const [thread, setThread] = useState<string | null>(null);
  const opener = useRef<Element | null>(null);
  const openThread = useCallback((ts: string) => {
    opener.current = document.activeElement;
    setThread(ts);
  }, []);
  const closeThread = useCallback(() => {
    setThread((open) => {
      // Only a thread that was open gives the focus back, once it is drawn no more.
      if (open !== null) requestAnimationFrame(() => focusAgain(opener.current));
      return null;
    });
  }, []);
  return { thread, openThread, closeThread };
}

function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.querySelector<HTMLElement>('main .composer textarea');
  target?.focus();
}

interface ThreadPaneProps {
  conversation: Conversation;
  note: ReactNode;
  threadTs: string;
  onClose: () => void;
}

export function ThreadPane({ conversation, threadTs, onClose, note }: ThreadPaneProps): ReactNode {
  const { id, messages } = conversation;
  const parent = messages.find(({ ts }) => ts === threadTs);
  const replies = repliesIn(threadTs, messages);
  const { log, scrollToEnd } = useLog();
  const title = titleOf(conversation);
  useEscape(onClose);
  return (
    <aside className="thread-pane" aria-label="Thread">
      <header>
        <h2>
          Thread <span className="quiet">{title}</span>
        </h2>
        <button type="button" className="icon" aria-label="Close the thread" onClick={onClose}>
          ✕
        </button>
      </header>
      <div {...log} className="log" role="log" aria-label={`Thread in ${title}`}>
        <div>
          {parent === undefined ? (
            <p className="quiet">This message is gone.</p>
          ) : (
            <MessageView message={parent} channel={id} isContinuation={false} />
          )}
          {replies.length > 0 && <h3 className="rule">{countOfReplies(replies)}</h3>}
          {replies.map((reply, index) => (
            <MessageView
              key={reply.ts}
              message={reply}
              channel={id}
              isContinuation={areGrouped(replies[index - 1], reply)}
            />
          ))}
        </div>
      </div>
      {note}
      <Composer
        key={threadTs}
        conversation={conversation}
        name={`Reply in ${title}`}
        hint="Reply …"
        threadTs={threadTs}
        onSend={scrollToEnd}
      />
    </aside>
  );
}
