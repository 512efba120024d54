import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Dialog as AriaDialog, Button, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  /** What ✕ is called by a screen reader. */
  readonly closeLabel?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A modal dialog: the page behind it is out of reach, the focus stays inside and goes back afterwards, Escape closes it. */
export function Dialog({ title, onClose, closeLabel = 'Close', className = '', children }: DialogProps): ReactNode {
  const content = useRef<HTMLDivElement>(null);
  useFocusOnFirstField(content);
  return (
    <ModalOverlay className="curtain" isOpen onOpenChange={onClose}>
      <Modal className={`modal ${className}`}>
        <AriaDialog>
          <header>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button className="icon" aria-label={closeLabel} onPress={onClose}>
              ✕
            </Button>
          </header>
          <div ref={content} className="content">
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function useFocusOnFirstField(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    content.current?.querySelector<HTMLElement>('input, textarea, footer button')?.focus();
  }, [content]);
}
