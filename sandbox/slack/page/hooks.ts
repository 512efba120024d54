import { type RefObject, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { z } from 'zod';

/** Calls `onEscape` for an Escape that nothing else handled, such as an open menu, list or dialog. With `null` it ignores the key. */
export function useEscape(onEscape: (() => void) | null): void {
  const newest = useRef(onEscape);
  newest.current = onEscape;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      newest.current?.();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

export function useMedia(query: string): boolean {
  const media = useMemo(() => window.matchMedia(query), [query]);
  const subscribe = useMemo(
    () => (onChange: () => void) => {
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => media.matches);
}

/**
 * A value that the browser stores across reloads. A stored value that doesn't match the schema is ignored. If nothing can be stored, the
 * value lasts until the page is closed.
 */
export function useStored<T>(name: string, schema: z.ZodType<T>, initial: T): readonly [T, (next: T) => void] {
  const key = `notif-sandbox ${name}`;
  const [value, setValue] = useState(() => read(key, schema) ?? initial);
  const store = useCallback(
    (next: T) => {
      setValue(next);
      write(key, next);
    },
    [key],
  );
  return [value, store];
}

function read<T>(key: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(window.localStorage.getItem(key) ?? 'null')).data;
  } catch (cause) {
    console.warn('What this browser remembers of the sandbox cannot be read.', cause);
    return undefined;
  }
}

function write(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch (cause) {
    console.warn('This browser does not remember anything of the sandbox.', cause);
  }
}

/** The distance in pixels at which a log counts as scrolled to its end. */
const near = 80;

interface Log {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The frame's only child. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly scrollToEnd: () => void;
}

/** Keeps the end of a log visible while it grows, unless the person has scrolled up. */
export function useStickToEnd(): Log {
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
