import { type RefObject, useEffect, useRef } from 'react';

/**
 * Brings what a view wants looked at before the eyes, once for each: the field that it gives the focus, and the first one that is
 * wrong after a submission. A view that is drawn again stays scrolled to where it was otherwise.
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
    if (wrong !== '{}') lookAt(view.current?.querySelector<HTMLElement>('[aria-invalid="true"]'));
  }, [view, wrong]);
}

function lookAt(element: HTMLElement | null | undefined): void {
  const label = document.getElementById(element?.getAttribute('aria-labelledby') ?? '');
  (label ?? element)?.scrollIntoView({ block: 'start' });
  const field = element?.matches('input, select, textarea') ? element : element?.querySelector<HTMLElement>('input');
  field?.focus({ preventScroll: true });
}
