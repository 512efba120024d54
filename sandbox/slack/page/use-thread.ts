import { useCallback, useRef, useState } from 'react';

interface OpenThread {
  /** The ts of the message whose thread is open, or null. */
  readonly thread: string | null;
  readonly openThread: (ts: string) => void;
  /** Returns the focus to what had it when the thread was opened, or to the composer. */
  readonly closeThread: () => void;
}

/** Keeps track of the open thread. */
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
