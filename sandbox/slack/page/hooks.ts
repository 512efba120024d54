import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';

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

interface Log {
  /** Properties of the element that scrolls. */
  log: { ref: RefObject<HTMLDivElement | null>; onScroll: () => void };
  isAtEnd: boolean;
  scrollToEnd: () => void;
}

/** So close to its end, a log counts as being there. */
const NEAR_END_PX = 80;

/** A log in a `column-reverse` box, which the browser keeps at its end: `scrollTop` is 0 there and negative above. */
export function useLog(): Log {
  const ref = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const onScroll = () => setAtEnd((ref.current?.scrollTop ?? 0) > -NEAR_END_PX);
  const scrollToEnd = useCallback(() => ref.current?.scrollTo({ top: 0 }), []);
  return { log: { ref, onScroll }, isAtEnd, scrollToEnd };
}
