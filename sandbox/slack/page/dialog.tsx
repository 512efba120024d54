import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Dialog as AriaDialog, Button, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { Confirm } from './blocks/schema.ts';
import { plainText, Text } from './text/text.tsx';

interface DialogProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  /** The name of ✕ for screen readers. */
  readonly closeLabel?: string;
  readonly className?: string;
  /** Distinguishes the current contents from earlier ones: the first field of new contents gets the focus. */
  readonly subject?: string;
  readonly children: ReactNode;
}

/** Shows a modal dialog: the page behind it is inert, the focus stays inside and returns afterwards, Escape closes it. */
export function Dialog({
  title,
  onClose,
  closeLabel = 'Close',
  className = '',
  subject = '',
  children,
}: DialogProps): ReactNode {
  const content = useRef<HTMLDivElement>(null);
  useFocusOnFirstField(content, subject);
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

function useFocusOnFirstField(content: RefObject<HTMLElement | null>, subject: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each subject has other fields
  useEffect(() => {
    content.current?.querySelector<HTMLElement>('input, textarea, footer button')?.focus();
  }, [content, subject]);
}

interface ConfirmDialogProps {
  readonly confirm: Confirm;
  readonly onAnswer: (yes: boolean) => void;
}

export function ConfirmDialog({ confirm, onAnswer }: ConfirmDialogProps): ReactNode {
  return (
    <Dialog className="confirm" title={plainText(confirm.title)} onClose={() => onAnswer(false)}>
      <div className="body">
        <Text text={confirm.text} />
      </div>
      <footer>
        <Button onPress={() => onAnswer(false)}>{plainText(confirm.deny)}</Button>
        <Button className={confirm.style ?? 'primary'} onPress={() => onAnswer(true)}>
          {plainText(confirm.confirm)}
        </Button>
      </footer>
    </Dialog>
  );
}
