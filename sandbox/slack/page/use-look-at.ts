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
    if (wrong !== '{}') lookAt(view.current?.querySelector<HTMLElement>('.field[data-invalid]'));
  }, [view, wrong]);
}

function lookAt(field: HTMLElement | null | undefined): void {
  field?.scrollIntoView({ block: 'start' });
  field?.querySelector<HTMLElement>('input, textarea, button, [role="spinbutton"]')?.focus({ preventScroll: true });
}
