import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  /** What ✕ is called by a screen reader. */
  readonly closeLabel?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A modal dialog: the page behind it is out of reach, the focus stays inside, Escape closes it. */
export function Dialog({ title, onClose, closeLabel = 'Close', className, children }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    firstField(element)?.focus();
    // Closing gives the focus back to where it was; being taken off the page would not.
    return () => element?.close();
  }, []);
  // Left alone, the browser would close the dialog itself, before the bot has had its say.
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      onKeyDown={closeOnEscape}
      onCancel={(event) => event.preventDefault()}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon" aria-label={closeLabel} onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

function firstField(dialog: HTMLDialogElement | null): HTMLElement | null {
  return (
    dialog?.querySelector<HTMLElement>('[data-focus-on-load]') ??
    dialog?.querySelector<HTMLElement>('input, select, textarea, footer button') ??
    null
  );
}
