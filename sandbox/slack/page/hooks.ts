import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

/** Calls `onEscape` for an Escape that nothing else handled, such as an open menu, list or dialog. With `null` it ignores the key. */
export function useEscape(onEscape: (() => void) | null): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) onEscape?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

/** The distance in pixels at which a log counts as scrolled to its end. */
const near = 80;

/** Keeps the end of a log visible while it grows, unless the person has scrolled up. `content` is the frame's only child. */
export function useStickToEnd() {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  useEffect(() => {
    const log = frame.current;
    if (log === null || content.current === null) return;
    let before = 0;
    const remember = () => {
      // The event comes late, and the log may have grown. Only scrolling up is done by the person.
      const isGoingUp = log.scrollTop < before;
      before = log.scrollTop;
      atEnd.current = log.scrollHeight - log.scrollTop - log.clientHeight < near || (atEnd.current && !isGoingUp);
      setAtEnd(atEnd.current);
    };
    const growth = new ResizeObserver(() => {
      if (atEnd.current) log.scrollTo({ top: log.scrollHeight });
    });
    log.addEventListener('scroll', remember);
    growth.observe(content.current);
    growth.observe(log);
    return () => {
      log.removeEventListener('scroll', remember);
      growth.disconnect();
    };
  }, []);
  const scrollToEnd = useCallback(() => {
    atEnd.current = true;
    setAtEnd(true);
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  }, []);
  return { frame, content, isAtEnd, scrollToEnd };
}
