import { useCallback, useRef, useState } from 'react';

interface OpenThread {
  /** The ts of the message whose thread is open, or null. */
  readonly thread: string | null;
  readonly openThread: (ts: string) => void;
  /** Gives the focus back to what had it when the thread was opened, or to where messages are typed. */
  readonly closeThread: () => void;
}

/** Which thread stands beside the conversation. */
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

/** An entry of a menu is gone by then. */
function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.querySelector<HTMLElement>('main .composer textarea');
  target?.focus();
}
