import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { z } from 'zod';

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

export function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query]);
  const subscribe = useCallback(
    (onChange: () => void) => {
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => media.matches);
}

/** A value that the browser stores across reloads. What it can't store, or what doesn't match the schema, lasts until the page is closed. */
export function useStored<T>(name: string, schema: z.ZodType<T>, initial: T): readonly [T, (next: T) => void] {
  const key = `notif-sandbox ${name}`;
  const [value, setValue] = useState(() => {
    try {
      return schema.parse(JSON.parse(window.localStorage.getItem(key) ?? 'null'));
    } catch {
      return initial;
    }
  });
  const store = useCallback(
    (next: T) => {
      setValue(next);
      try {
        window.localStorage.setItem(key, JSON.stringify(next));
      } catch (cause) {
        console.warn('This browser does not remember anything of the sandbox.', cause);
      }
    },
    [key],
  );
  return [value, store];
}

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
    // Elements below the log can change its height.
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
