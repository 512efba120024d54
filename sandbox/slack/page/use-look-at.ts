import { type RefObject, useEffect, useRef } from 'react';

/**
 * Scrolls to what a view wants to be seen, once each: the field that it focuses, and the first error after a submission. A rerendered view
 * keeps its scroll position otherwise.
 */
export function useLookAt(view: RefObject<HTMLElement | null>, errors: Readonly<Record<string, string>>): void {
  const focused = useRef<string | undefined>(undefined);
  useEffect(() => {
    const element = view.current?.querySelector<HTMLElement>('[data-focus-on-load]');
    if (element?.dataset.blockId !== focused.current) lookAt(element);
    focused.current = element?.dataset.blockId;
  });
  const wrong = JSON.stringify(errors);
  useEffect(() => {
    if (wrong !== '{}') lookAt(view.current?.querySelector<HTMLElement>('.field[data-invalid]'));
  }, [view, wrong]);
}

function lookAt(field: HTMLElement | null | undefined): void {
  field?.scrollIntoView({ block: 'start' });
  field?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true });
}
