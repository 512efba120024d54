import { useEffect, useRef } from 'react';

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
