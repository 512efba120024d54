import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly detail?: string;
  readonly choose: () => void;
}

interface MenuProps {
  /** What the button is called by a screen reader. */
  readonly label: string;
  readonly face: ReactNode;
  readonly items: readonly MenuItem[];
}

/** A button that opens a menu: arrows move, Enter chooses, Escape or leaving it closes. */
export function Menu({ label, face, items }: MenuProps): ReactNode {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) list.current?.querySelector('button')?.focus();
  }, [open]);

  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const closeWhenLeft = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // The opener closes it by itself.
    if (!currentTarget.contains(relatedTarget) && relatedTarget !== opener.current) setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Escape') return;
    event.preventDefault();
    if (step === undefined) close();
    else moveFocus(list.current, step);
  };

  return (
    <div className="menu">
      <button
        ref={opener}
        type="button"
        className="icon"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        title={label}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {open && (
        <div ref={list} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown} onBlur={closeWhenLeft}>
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              role="menuitem"
              onClick={() => {
                close();
                item.choose();
              }}
            >
              {item.name}
              {item.detail !== undefined && <small>{item.detail}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function moveFocus(list: HTMLElement | null, step: number): void {
  const items = [...(list?.querySelectorAll('button') ?? [])];
  const at = items.findIndex((item) => item.matches(':focus'));
  items[(at + step + items.length) % items.length]?.focus();
}
