import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { Composer } from './composer.tsx';
import { reasonForSilence } from './conversation-pane.tsx';
import { useEscape, useStickToEnd } from './hooks.ts';
import { goesOn, threadOf } from './log.ts';
import { MessageView } from './message-view.tsx';
import { titleOf } from './sidebar.tsx';

interface OpenThread {
  readonly thread: string | null;
  readonly openThread: (ts: string) => void;
  /** Returns the focus to what had it when the thread was opened, or to the composer. */
  readonly closeThread: () => void;
}

export function useThread(): OpenThread {
  const [thread, setThread] = useState<string | null>(null);
  const opener = useRef<Element | null>(null);
  const openThread = useCallback((ts: string) => {
    opener.current = document.activeElement;
    setThread(ts);
  }, []);
  const closeThread = useCallback(() => {
    setThread((open) => {
      if (open !== null) requestAnimationFrame(() => focusAgain(opener.current));
      return null;
    });
  }, []);
  return { thread, openThread, closeThread };
}

/** A menu entry no longer exists at this point. */
function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.querySelector<HTMLElement>('main .composer textarea');
  target?.focus();
}

interface ThreadPaneProps {
  readonly conversation: Conversation;
  readonly threadTs: string;
  readonly onClose: () => void;
  readonly note: ReactNode;
}

export function ThreadPane({ conversation, threadTs, onClose, note }: ThreadPaneProps): ReactNode {
  const { id, messages } = conversation;
  const { parent, replies } = threadOf(threadTs, messages);
  const { frame, content, scrollToEnd } = useStickToEnd();
  const [said, setSaid] = useState(0);
  const title = titleOf(conversation);
  const silence = reasonForSilence(conversation);
  useEscape(onClose);
  useEffect(() => {
    if (said > 0) scrollToEnd();
  }, [said, scrollToEnd]);
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
      <div ref={frame} className="log" role="log" aria-label={`Thread in ${title}`}>
        <div ref={content}>
          {parent === undefined ? (
            <p className="quiet">This message is gone.</p>
          ) : (
            <MessageView message={parent} channel={id} continues={false} replies={[]} />
          )}
          {replies.length > 0 && (
            <h3 className="rule">
              <span>{replies.length === 1 ? '1 reply' : `${replies.length} replies`}</span>
            </h3>
          )}
          {replies.map((reply, index) => {
            const before = replies[index - 1];
            const continues = before !== undefined && goesOn(before, reply);
            return <MessageView key={reply.ts} message={reply} channel={id} continues={continues} replies={[]} />;
          })}
        </div>
      </div>
      {note}
      {silence !== null ? (
        <p className="silent quiet">{silence}</p>
      ) : (
        <Composer
          key={threadTs}
          channel={id}
          name={`Reply in ${title}`}
          hint="Reply …"
          threadTs={threadTs}
          onSend={() => setSaid((times) => times + 1)}
        />
      )}
    </aside>
  );
}
