import { type RefObject, useEffect, useRef } from 'react';

/** How near its end a log counts as being at its end, in pixels. */
const near = 80;

/** Keeps the end of a log in sight while it grows, unless the person has scrolled up to read. `content` is the log's only child. */
export function useStickToEnd(log: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = log.current;
    if (element === null || content.current === null) return;
    const remember = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < near;
    };
    const growth = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTo({ top: element.scrollHeight });
    });
    element.addEventListener('scroll', remember);
    growth.observe(content.current);
    return () => {
      element.removeEventListener('scroll', remember);
      growth.disconnect();
    };
  }, [log, content]);
}
